import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";

const sidebar = JSON.parse(readFileSync(new URL("../.pages/navigation.json", import.meta.url), "utf8"));

/** Nothing is loaded from another host: fonts are those of the reader, and the search runs in the browser. */
export default defineConfig({
  lang: "en",
  title: "zonewright",
  description: "DNS zones in git: validate, plan and apply changes without ever leaving a name unresolvable.",
  srcDir: ".pages",
  outDir: "dist",
  cleanUrls: false,
  lastUpdated: false,
  metaChunk: true,
  // The path of the site at its host, such as /zonewright/ on GitHub Pages.
  base: process.env.SITE_BASE ?? "/",
  head: [["link", { rel: "icon", href: "data:," }]],
  vite: { publicDir: false, build: { chunkSizeWarningLimit: 4000 } },
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    anchor: { slugify: slugOf },
  },
  themeConfig: {
    sidebar,
    nav: [
      { text: "Guides", link: "/getting-started" },
      { text: "Reference", link: "/reference/commands/" },
      { text: "Server", link: "/server/" },
    ],
    outline: { level: [2, 3] },
    socialLinks: [],
    search: {
      provider: "local",
      options: {
        detailedView: true,
        translations: { button: { buttonText: "Search (/)", buttonAriaLabel: "Search (/)" } },
      },
    },
    editLink: undefined,
  },
});

/** The anchor of a heading as on GitHub, which the links in the pages have. */
function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}
