/** Finds runs of base64 that encode a text. It reads every sixteenth character until one may be part of a run. */
import { decodedText } from "./judge-value.ts";

const MIN_LENGTH = 16;
const MAX_LENGTH = 12_000;

const IS_BASE64 = new Uint8Array(128);
for (const one of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  IS_BASE64[one.charCodeAt(0)] = 1;

const isBase64 = (text: string, at: number) => IS_BASE64[text.charCodeAt(at)] === 1;

/** Groups of four base64 characters in which every byte is ASCII. One in five thousand random runs begins like this. */
const OF_TEXT = /(?:[I-Za-fC][C-HS-Xi-ny-z0-3AQgw][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+/]){4}/y;
/** An image of a page, a part of a web token, a path, a longer word. */
const GOES_ON = /[._-]/;

interface EncodedText {
  readonly start: number;
  readonly end: number;
  readonly says: string;
}

export function encodedTexts(text: string): readonly EncodedText[] {
  const found: EncodedText[] = [];
  for (let at = 0; at + MIN_LENGTH <= text.length; ) {
    let last = at + MIN_LENGTH - 1;
    while (last >= at && isBase64(text, last)) last -= 1;
    if (last >= at) {
      at = last + 1;
      continue;
    }
    let end = at + MIN_LENGTH;
    while (isBase64(text, end)) end += 1;
    const says = end - at > MAX_LENGTH ? null : saidBy(text, at, end);
    while (text.charAt(end) === "=") end += 1;
    if (says !== null) found.push({ start: at, end, says });
    at = end;
  }
  return found;
}

function saidBy(text: string, start: number, end: number): string | null {
  OF_TEXT.lastIndex = start;
  if (!OF_TEXT.test(text)) return null;
  const before = text.slice(Math.max(0, start - 7), start);
  if (before === "base64," || GOES_ON.test(before.slice(-1)) || GOES_ON.test(text.charAt(end))) return null;
  return decodedText(text.slice(start, end));
}
