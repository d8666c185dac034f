/** Measures how random a text is: by its characters, and by how often letters follow each other as in words. */

/** The pairs of letters that are common in English words and in names in code. */
const COMMON_PAIRS: ReadonlySet<string> = new Set(
  `th he in er an re nd at on nt ha es st en ed to it ou ea hi is or ti as te et ng of al de se le sa si ar ve ra ld ur
  me ne ro ri io li ic co el la no ll ta ma ec us ce ss om ee il ac ct ch di pe pa tr un be ho ca po so ai lo wo ke ey cr
  ok pr ct mo mi em na ns ab bl ag ge ay ad da am im ir ig gh ht id ie if ut up uc ul um ow ot os op oo ol od ob oa ni
  nc nk nf my ly ty ry cy mp mb lt ls lu iv is ip fo fr fi fe fa ex ev et ep ef eb do cl cu ck ci by bu br bo ba
  av au ap ak af ac vi va vo ut ur su sp sh sc ru rt rs rm rk rd qu pu pt pp pl pi ph ow wi we wa yo`.split(
    /\s+/,
  ),
);

/** The number of letter pairs, and the share of common ones. */
export function shareOfCommonPairs(text: string): { readonly pairs: number; readonly share: number } {
  const lower = text.toLowerCase();
  let pairs = 0;
  let common = 0;
  for (let at = 1; at < lower.length; at++) {
    if (!isLetter(lower, at - 1) || !isLetter(lower, at)) continue;
    pairs += 1;
    if (COMMON_PAIRS.has(lower.slice(at - 1, at + 1))) common += 1;
  }
  return { pairs, share: pairs === 0 ? 0 : common / pairs };
}

function isLetter(lower: string, at: number): boolean {
  const code = lower.charCodeAt(at);
  return code >= 97 && code <= 122;
}

/** Shannon's entropy of the text's own characters. */
export function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const one of text) counts.set(one, (counts.get(one) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/**
 * The share of neighbours that differ in kind. Words keep one kind; random text changes it at every other character.
 */
export function shareOfKindChanges(text: string): number {
  let changes = 0;
  for (let at = 1; at < text.length; at++) if (kindOf(text, at) !== kindOf(text, at - 1)) changes += 1;
  return text.length < 2 ? 0 : changes / (text.length - 1);
}

const MIN_RANDOM_LENGTH = 10;

/** Whether even a short text is certainly random. It mixes cases and digits, and has no words. */
export function isRandom(text: string): boolean {
  if (text.length < MIN_RANDOM_LENGTH || !/[a-z]/.test(text) || !/[A-Z]/.test(text) || !/\d/.test(text))
    return false;
  const { pairs, share } = shareOfCommonPairs(text);
  return shareOfKindChanges(text) >= 0.45 && share < maxShareOfRandom(pairs);
}

/** Whether a generator made it. It has both cases, and changes its kind as often as random text, or has no words. */
export function looksGenerated(text: string): boolean {
  if (!/[a-z]/.test(text) || !/[A-Z]/.test(text)) return false;
  const { pairs, share } = shareOfCommonPairs(text);
  const changes = shareOfKindChanges(text);
  if (!/\d/.test(text)) return changes >= 0.35 && share < 0.55;
  return changes >= 0.45 || (changes >= 0.25 && share < maxShareOfRandom(pairs));
}

/** Whether digits are in too many places for numbered words. Random text may look like words by chance. */
export function isInterspersed(text: string): boolean {
  if (!/^[A-Za-z0-9]{6,}(?:[-_+/=]{0,2}[A-Za-z0-9]*){0,3}$/.test(text)) return false;
  const runs = text.match(/\d+/g)?.length ?? 0;
  const isMixed = /[a-z]/.test(text) && /[A-Z]/.test(text);
  return runs >= Math.max(3, text.length / 7) && shareOfKindChanges(text) >= (isMixed ? 0.45 : 0.33);
}

/**
 * The share of common pairs of letters below which a text is no word. In random text a third of all pairs are common, in
 * words three quarters. If there are few pairs, nearly all can be common by chance.
 */
export function maxShareOfRandom(pairs: number): number {
  if (pairs < 5) return 1.1;
  if (pairs < 8) return 0.8;
  return pairs < 14 ? 0.67 : 0.58;
}

/** How many of lower-case letters, upper-case letters, digits and signs it has. */
export function numberOfKinds(text: string): number {
  return new Set(Array.from(text, (_, at) => kindOf(text, at))).size;
}

function kindOf(text: string, at: number): "lower" | "upper" | "digit" | "other" {
  const one = text.charAt(at);
  if (one >= "a" && one <= "z") return "lower";
  if (one >= "A" && one <= "Z") return "upper";
  return one >= "0" && one <= "9" ? "digit" : "other";
}
