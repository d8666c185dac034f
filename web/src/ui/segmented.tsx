/** A choice of two to four views, as pressed buttons. */
import type { ReactNode } from "react";

export function Segmented<Value extends string>(props: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly words: ReactNode; readonly name?: string }[];
  readonly onChange: (value: Value) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame and needs a form.
    <div className="segmented" role="group" aria-label={props.label}>
      {props.options.map(({ value, words, name }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === props.value}
          {...(name === undefined ? {} : { "aria-label": name })}
          onClick={() => props.onChange(value)}
        >
          {words}
        </button>
      ))}
    </div>
  );
}
