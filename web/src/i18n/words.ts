/** Pairs the English and Japanese words of one noun, so that a key missing in one does not compile. */

type Catalog = Readonly<Record<string, string>>;

/** Japanese has no singular: of `attempts_one` and `attempts_other` only the second is needed. */
type Needed<En extends Catalog> = Exclude<keyof En & string, `${string}_one`>;

export function words<const En extends Catalog>(
  en: En,
  ja: { readonly [Key in Needed<En>]: string },
): { readonly en: En; readonly ja: { readonly [Key in Needed<En>]: string } } {
  return { en, ja };
}
