// What the keyboard and a screen reader need of the theme: boxes that scroll can be focused, landmarks have names.
document.addEventListener("DOMContentLoaded", () => {
  const names = { ".sidebar-drawer": "All pages", ".toc-drawer": "On this page" };
  for (const [selector, name] of Object.entries(names)) {
    document.querySelector(selector)?.setAttribute("aria-label", name);
  }
  for (const box of document.querySelectorAll(".table-wrapper, .highlight pre")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  }
});
