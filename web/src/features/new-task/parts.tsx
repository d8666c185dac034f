/** The parts of the form: a named control, and a choice to tick. */
import { type ReactNode, useId } from "react";

export function Labelled(props: { readonly name: string; readonly children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1.5 block text-small font-medium text-ink-2">
        {props.name}
      </label>
      {props.children(id)}
    </div>
  );
}

export function Check(props: {
  readonly words: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}) {
  return (
    <label className="tick">
      <input
        type="checkbox"
        checked={props.checked}
        onChange={({ target }) => props.onChange(target.checked)}
      />
      {props.words}
    </label>
  );
}
