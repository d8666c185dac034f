/** Frames the pages that need no script: those on the way in. */
import { html } from "hono/html";

type Html = ReturnType<typeof html>;

/** What is put into `html` is escaped. */
export function plainPage({ title, body }: { readonly title: string; readonly body: Html }): Html {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Tazuna</title>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${body}
    </main>
  </body>
</html>
`;
}
