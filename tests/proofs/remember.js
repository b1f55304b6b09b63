// Lets ed25519 check each signature once, for cases share most of theirs; the map `known` has what was checked.
"use strict";

for (const name of ["isKey", "verify"]) {
  const ask = ed25519[name];
  ed25519[name] = (...given) => {
    const key = `${name} ${given.map((bytes) => bytes.join()).join(";")}`;
    if (!known.has(key)) known.set(key, ask(...given));
    return known.get(key);
  };
}
