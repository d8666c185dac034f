/** Tells the language of a file by its name. */
import type { Language } from "./languages.ts";

/** The endings of each language, without the dot, and whole names. */
const ENDINGS: Readonly<Record<Language, string>> = {
  bash: "sh bash zsh ksh .bashrc .zshrc .profile",
  c: "c h",
  cpp: "cc cpp cxx hpp hh hxx ino",
  csharp: "cs",
  css: "css",
  dart: "dart",
  diff: "diff patch",
  docker: "dockerfile Dockerfile Containerfile",
  elixir: "ex exs",
  go: "go",
  graphql: "graphql gql",
  html: "html htm vue svelte",
  ini: "ini cfg conf properties editorconfig .editorconfig .gitconfig .npmrc",
  java: "java",
  javascript: "js mjs cjs",
  jsonc: "json jsonc json5 webmanifest",
  jsx: "jsx",
  kotlin: "kt kts",
  lua: "lua",
  make: "mk Makefile GNUmakefile",
  markdown: "md mdx markdown",
  php: "php",
  python: "py pyi",
  ruby: "rb rake gemspec Gemfile Rakefile",
  rust: "rs",
  scala: "scala sc",
  scss: "scss",
  sql: "sql",
  swift: "swift",
  terraform: "tf tfvars hcl",
  toml: "toml Cargo.lock",
  tsx: "tsx",
  typescript: "ts mts cts",
  xml: "xml svg plist xsd xsl csproj",
  yaml: "yaml yml",
};

const BY_ENDING = new Map(
  Object.entries(ENDINGS).flatMap(([language, endings]) =>
    endings.split(" ").map((ending) => [ending, language as Language] as const),
  ),
);

/** Null if it is shown without colours. */
export function languageOf(path: string): Language | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return BY_ENDING.get(name) ?? BY_ENDING.get(name.slice(name.lastIndexOf(".") + 1).toLowerCase()) ?? null;
}
