// Calls are heard and felt at every page of those who answer them. The head of the page says which calls wait; a call
// sounds when it is new here, when it becomes overdue, and with every further minute that nobody goes.
"use strict";

(() => {
  const badge = document.getElementById("alarm");
  if (!badge) return;
  const toggle = document.getElementById("sound");
  const notice = document.getElementById("sound-notice");
  const Audio = window.AudioContext || window.webkitAudioContext;
  let audio = null;
  let owed = null;

  const isOn = () => localStorage.getItem("sound") === "on";

  function show() {
    toggle.setAttribute("aria-checked", String(isOn()));
    const held = isOn() && audio && audio.state !== "running";
    notice.textContent = held ? notice.dataset.held : "";
    notice.hidden = !held;
  }

  function play(isOverdue) {
    const pitches = isOverdue ? [880, 587, 880, 587, 880, 587] : [587, 880];
    pitches.forEach((pitch, number) => {
      const at = audio.currentTime + 0.2 * number;
      const tone = audio.createOscillator();
      const loudness = audio.createGain();
      tone.frequency.value = pitch;
      loudness.gain.setValueAtTime(0.001, at);
      loudness.gain.exponentialRampToValueAtTime(0.4, at + 0.02);
      loudness.gain.exponentialRampToValueAtTime(0.001, at + 0.18);
      tone.connect(loudness);
      loudness.connect(audio.destination);
      tone.start(at);
      tone.stop(at + 0.19);
    });
  }

  // A browser that holds sounds back until the page is tapped plays then what it owes.
  function open() {
    if (audio) return;
    audio = new Audio();
    audio.addEventListener("statechange", () => {
      show();
      if (audio.state !== "running" || owed === null) return;
      play(owed);
      owed = null;
    });
  }

  function sound(isOverdue) {
    if (!isOn() || !Audio) return;
    open();
    if (audio.state === "running") {
      play(isOverdue);
      return;
    }
    owed = isOverdue;
    audio.resume();
    show();
  }

  function heed() {
    const found = badge.querySelector("[data-waiting]");
    const words = (text) => text.split(" ").filter(Boolean);
    const overdue = words(found.dataset.overdue);
    const now = [...words(found.dataset.waiting), ...overdue];
    const known = JSON.parse(sessionStorage.getItem("calls") || "[]");
    sessionStorage.setItem("calls", JSON.stringify(now));
    if (!now.length) owed = null;
    if (now.every((one) => known.includes(one))) return;
    const isOverdue = overdue.some((one) => !known.includes(one));
    const isTouched = !navigator.userActivation || navigator.userActivation.hasBeenActive;
    if (navigator.vibrate && isTouched) navigator.vibrate(isOverdue ? [400, 150, 400, 150, 400] : [250, 100, 250]);
    sound(isOverdue);
  }

  function hear(source) {
    source.addEventListener("alarm", (told) => {
      badge.innerHTML = told.data;
      heed();
    });
  }

  toggle.addEventListener("click", () => {
    if (!Audio) {
      notice.textContent = notice.dataset.none;
      notice.hidden = false;
      return;
    }
    localStorage.setItem("sound", isOn() ? "off" : "on");
    owed = null;
    sound(false);
    show();
  });
  for (const kind of ["pointerup", "keydown"])
    document.addEventListener(kind, () => {
      if (isOn() && audio && audio.state !== "running") audio.resume();
    });
  document.addEventListener("htmx:sseOpen", (event) => hear(event.detail.source));
  if (isOn() && Audio) open();
  show();
  heed();
  if (!document.querySelector("[sse-connect]")) hear(new EventSource(badge.dataset.stream));
})();
