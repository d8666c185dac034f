/** Shows a sentence of the server, in which backquotes mark code. */
import { cleanText } from "@contract/text.ts";

export function CodeText({ text }: { readonly text: string }) {
  const parts = cleanText(text).split("`");
  return (
    <bdi lang="en">
      {parts.map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never move.
          <code key={index} className="text-ink">
            {part}
          </code>
        ),
      )}
    </bdi>
  );
}
