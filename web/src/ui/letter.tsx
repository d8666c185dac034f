/** The letter of an attempt within its task. */

export function Letter({ letter, solid = false }: { readonly letter: string; readonly solid?: boolean }) {
  return (
    <span className="letter" {...(solid ? { "data-solid": "" } : {})}>
      {letter}
    </span>
  );
}
