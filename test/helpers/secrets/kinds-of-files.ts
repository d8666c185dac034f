/** Puts a value into files of every kind, under no name that says what it is. */

export interface CorpusFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What stands in a minified script. */
export const FILLER = `function(e,t,n){var r=n(1),o=n(2);e.exports={a:r(t),b:o.c("x")}}`.repeat(12);

const utf8 = (text: string) => new TextEncoder().encode(text);

function utf16(text: string, { big, mark }: { readonly big: boolean; readonly mark: boolean }): Uint8Array {
  const units = [...(mark ? `\ufeff${text}` : text)].map((one) => one.charCodeAt(0));
  return Uint8Array.from(units.flatMap((unit) => (big ? [unit >> 8, unit & 255] : [unit & 255, unit >> 8])));
}

type Kind = (value: string) => CorpusFile;

const text =
  (path: string, before: string, after: string): Kind =>
  (value) => ({ path, bytes: utf8(before + value + after) });

export const KINDS: readonly Kind[] = [
  text("src/a.ts", `import x from "y";\nexport const value = "`, `";\n`),
  text("src/a.py", "def f():\n    return g('", "', 3)\n"),
  text("prod.env", "# settings\nVALUE=", "\nOTHER=1\n"),
  text("a.yaml", "a:\n  b:\n    value: ", "\n"),
  text("a.json", `{"a": ["x", "`, `"]}\n`),
  text("a.toml", `[x]\nvalue = "`, `"\n`),
  text("a.ini", "[x]\nvalue = ", "\n"),
  text("a.xml", "<a><b>", "</b></a>\n"),
  text("a.html", `<div data-x="`, `">x</div>\n`),
  text("a.md", "Use `", "` for it.\n"),
  text("a.sh", "run x '", "' | tee log\r\n"),
  text("a.min.js", `!${FILLER},x="`, `",${FILLER}`),
  text("a.ipynb", `{"cells":[{"cell_type":"code","source":["import x\\n","x.init(\\"`, `\\")\\n"]}]}\n`),
  text("b.ipynb", `{"cells":[{"outputs":[{"text":["Logged in\\n`, `\\n"]}]}]}\n`),
  (value) => ({ path: "wide.txt", bytes: utf16(`first\r\nvalue: ${value}\r\n`, { big: false, mark: true }) }),
  (value) => ({ path: "wide.reg", bytes: utf16(`"v"="${value}"\r\n`, { big: true, mark: true }) }),
  (value) => ({ path: "wide.ps1", bytes: utf16(`$v = "${value}"\r\n`, { big: false, mark: false }) }),
  text("a.sql", "INSERT INTO x VALUES (1, '", "', now());\n"),
  text("a.csv", "id,value\r\n1,", ",x\r\n"),
  text("a.patch", "@@ -1 +1 @@\n-x\n+", "\n"),
  text("Dockerfile", "FROM x\nRUN y ", " z\n"),
  text("main.tf", `x "y" {\n  value = "`, `"\n}\n`),
  text("a.properties", "a.value=", "\r\n"),
  text("a.php", "<?php return ['v' => '", "'];\n"),
  text("A.java", `  String v = "`, `";\r\n`),
  text("a.js", `const j = "{\\"v\\":\\"`, `\\"}";\n`),
  text("a.txt", "see https://api.acme.io/?v=", "&x=1\n"),
  text("a.c", "/* ", " */\n"),
];
