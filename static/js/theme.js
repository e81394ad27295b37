/** Light or dark: as the system says until somebody chooses; the choice is a cookie, so the server paints it from the first byte. */
const root = document.documentElement;
for (const button of document.querySelectorAll("[data-do=theme]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    document.cookie = `theme=${root.dataset.theme}; path=/; max-age=31536000; samesite=lax`;
  });
}
export {};
