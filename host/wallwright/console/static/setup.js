// Every table has the same boards to choose from; seats are printed.
"use strict";

const units = document.getElementById("units");
for (const choice of units ? document.querySelectorAll("select[name='unit']") : [])
  for (const option of units.content.children)
    if (option.value !== choice.value) choice.append(option.cloneNode(true));

for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => window.print());
