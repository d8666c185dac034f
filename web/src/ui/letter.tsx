/** The letter of an attempt within its task, in the order in which the attempts were made. */

export function Letter({ letter, solid = false }: { readonly letter: string; readonly solid?: boolean }) {
  return (
    <span className="letter" {...(solid ? { "data-solid": "" } : {})}>
      {letter}
    </span>
  );
}

/** `A` for the first attempt of a task, `AA` after `Z`. */
export function letterOf(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : `${letterOf(Math.floor(index / 26) - 1)}${letter}`;
}
