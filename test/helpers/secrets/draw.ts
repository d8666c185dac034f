/** Draws secrets that look real from templates, always the same ones: no file of ours holds one. */

export type Draw = () => number;

/** Always the same numbers from 0 to 1 for the same seed. */
export function drawsOf(seed: string): Draw {
  let state = [...seed].reduce((sum, one) => (Math.imul(sum, 31) + one.charCodeAt(0)) >>> 0, 2166136261);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const UPPER = LOWER.toUpperCase();
const ALPHABETS: Readonly<Record<string, string>> = {
  A: UPPER + LOWER + DIGITS,
  T: UPPER + LOWER,
  W: `${UPPER}${LOWER}${DIGITS}_-`,
  B: `${UPPER}${LOWER}${DIGITS}+/`,
  H: "0123456789abcdef",
  X: "0123456789ABCDEF",
  U: UPPER + DIGITS,
  L: LOWER + DIGITS,
  l: LOWER,
  D: DIGITS,
  b: `${UPPER}234567`,
  Q: "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
  q: "qpzry9x8gf2tvdw0s3jn54khce6mua7l",
  P: "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
  S: `${UPPER}${LOWER}${DIGITS}!#%^*()-=`,
};

/** `<A36>` is 36 letters and digits; the other alphabets are above. `<uuid>`, `<jwt>` and `<pem>` are whole things. */
export function fill(template: string, draw: Draw): string {
  return template.replace(/<(?:([A-Za-z])(\d+)|(uuid|jwt|pem))>/g, (_, alphabet, length, whole) => {
    if (whole === "uuid") return fill("<H8>-<H4>-4<H3>-a<H3>-<H12>", draw);
    if (whole === "jwt") return webToken(draw);
    if (whole === "pem") return base64Lines(draw, 1200);
    const letters = ALPHABETS[alphabet] ?? "";
    return Array.from({ length: Number(length) }, () => letters[Math.floor(draw() * letters.length)]).join(
      "",
    );
  });
}

function webToken(draw: Draw): string {
  const part = (value: unknown) =>
    btoa(JSON.stringify(value)).replace(/=+$/, "").replace(/\+/g, "-").replace(/\//g, "_");
  const head = part({ alg: "RS256", typ: "JWT", kid: fill("<H16>", draw) });
  const body = part({
    iss: "https://id.acme.io/",
    sub: fill("<uuid>", draw),
    exp: 1_900_000_000,
    scope: "read write",
  });
  return `${head}.${body}.${fill("<W86>", draw)}`;
}

/** Lines of 64 as a PEM has. */
export function base64Lines(draw: Draw, length: number): string {
  return (fill(`MIIE<B${length}>`, draw).match(/.{1,64}/g) ?? []).join("\n");
}
