/** The parts of the settings: a section with its heading, a row with its control, a switch. */
import { Switch as Base } from "@base-ui/react/switch";
import { type ReactNode, useId } from "react";

export function SettingsSection(props: {
  readonly id: string;
  readonly title: string;
  readonly acts?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section id={props.id} aria-labelledby={`${props.id}-title`} className="scroll-mt-4">
      <div className="mb-2 flex items-center gap-2">
        <h2 id={`${props.id}-title`} className="text-title">
          {props.title}
        </h2>
        <span className="ml-auto">{props.acts}</span>
      </div>
      <div className="rounded-card border border-line bg-surface">{props.children}</div>
    </section>
  );
}

export function SettingsRow(props: {
  readonly name: string;
  readonly hint?: ReactNode;
  /** The id is that of the control. */
  readonly children: (id: string) => ReactNode;
}) {
  const id = useId();
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-3.5 py-2 last:border-0">
      <span className="min-w-0 flex-1 basis-52">
        <label htmlFor={id} className="font-medium">
          {props.name}
        </label>
        {props.hint !== undefined && <span className="block text-small text-ink-3">{props.hint}</span>}
      </span>
      {props.children(id)}
    </div>
  );
}

export function Choice<Value extends string>(props: {
  readonly id: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly words: string; readonly lang?: string }[];
  readonly onChange: (value: Value) => void;
}) {
  return (
    <select
      id={props.id}
      className="field w-44! max-sm:h-11"
      value={props.value}
      onChange={({ target }) => props.onChange(target.value as Value)}
    >
      {props.options.map(({ value, words, lang }) => (
        <option key={value} value={value} lang={lang}>
          {words}
        </option>
      ))}
    </select>
  );
}

export function Switch(props: {
  readonly id: string;
  readonly name: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}) {
  return (
    <Base.Root
      id={props.id}
      aria-label={props.name}
      checked={props.checked}
      disabled={props.disabled === true}
      onCheckedChange={props.onChange}
      className="keeps-colours relative flex h-6 w-10 pointer-coarse:after:absolute pointer-coarse:after:-inset-3 pointer-coarse:after:content-[''] items-center rounded-full border border-line-control bg-sunken p-[2px] data-checked:border-transparent data-checked:bg-accent-fill data-disabled:opacity-50"
    >
      <Base.Thumb className="size-[18px] rounded-full bg-ink-3 data-checked:translate-x-4 data-checked:bg-on-accent" />
    </Base.Root>
  );
}
