/** Holds the status page's style: ink on paper, colour only for states, light and dark as the system asks. */

export const STATUS_STYLE = `:root {
  color-scheme: light dark;
  --canvas: light-dark(oklch(0.972 0.004 90), oklch(0.178 0.008 270));
  --surface: light-dark(oklch(0.995 0.002 90), oklch(0.212 0.009 270));
  --sunken: light-dark(oklch(0.952 0.005 90), oklch(0.158 0.008 270));
  --line: light-dark(oklch(0.902 0.006 90), oklch(0.288 0.01 270));
  --ink: light-dark(oklch(0.235 0.014 270), oklch(0.935 0.005 90));
  --ink-2: light-dark(oklch(0.42 0.014 270), oklch(0.79 0.008 270));
  --ink-3: light-dark(oklch(0.515 0.012 270), oklch(0.69 0.01 270));
  --accent: light-dark(oklch(0.48 0.165 268), oklch(0.745 0.115 270));
  --queue: light-dark(oklch(0.6 0.012 270), oklch(0.62 0.012 270));
  --work: light-dark(oklch(0.57 0.115 230), oklch(0.7 0.11 224));
  --needs: light-dark(oklch(0.64 0.145 62), oklch(0.8 0.145 78));
  --review: light-dark(oklch(0.56 0.125 156), oklch(0.7 0.13 158));
  --fail: light-dark(oklch(0.58 0.195 28), oklch(0.66 0.175 28));
  --fail-ink: light-dark(oklch(0.49 0.175 28), oklch(0.79 0.115 28));
  --add-ink: light-dark(oklch(0.44 0.105 156), oklch(0.79 0.125 158));
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--canvas);
  color: var(--ink);
  font: 14px/1.5 Inter, system-ui, "Hiragino Sans", "Noto Sans JP", "Yu Gothic UI", sans-serif;
  font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
}
header {
  display: flex;
  gap: 10px;
  align-items: baseline;
  padding: 10px 20px;
  border-bottom: 1px solid var(--line);
}
header .name { font-weight: 600; }
#connection { margin-inline-start: auto; }
main { max-width: 920px; margin: 0 auto; padding: 14px 20px 40px; outline: none; }
h1 { font-size: 16px; line-height: 24px; font-weight: 500; margin: 6px 0 14px; }
h2 { font-size: 15px; line-height: 22px; font-weight: 600; margin: 0; }
p { margin: 4px 0; }
.fine { font-size: 12px; color: var(--ink-3); }
.task { margin: 0 0 20px; }
.attempt {
  --state: var(--queue);
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: 8px;
  padding: 8px 12px;
  margin: 7px 0;
}
.attempt:target { border-color: var(--accent); }
.attempt.work { --state: var(--work); }
.attempt.needs { --state: var(--needs); }
.attempt.review { --state: var(--review); }
.attempt.fail { --state: var(--fail); }
.line { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.sign { width: 10px; height: 10px; border: 2px solid var(--state); border-radius: 50%; }
.review .sign { background: var(--state); }
.needs .sign { background: var(--state); border-radius: 1px; transform: rotate(45deg); }
.fail .sign { background: var(--state); border-radius: 1px; }
.queue .sign { border-style: dashed; }
.agent { color: var(--ink-2); }
.elapsed { margin-inline-start: auto; color: var(--ink-3); }
.action { color: var(--ink-2); }
.failure { color: var(--fail-ink); white-space: pre-line; }
.failure .remedy { color: var(--ink-2); }
.add { color: var(--add-ink); }
.del { color: var(--fail-ink); }
code, pre { font: 12px/1.6 "JetBrains Mono", ui-monospace, monospace; font-variant-ligatures: none; }
pre { background: var(--sunken); border: 1px solid var(--line); border-radius: 6px; padding: 8px 12px; overflow-x: auto; }
summary { cursor: pointer; font-size: 12px; color: var(--ink-3); width: fit-content; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 12px; margin: 6px 0; font-size: 12px; }
dt { color: var(--ink-3); }
dd { margin: 0; }
.start { border-top: 1px solid var(--line); padding-top: 14px; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; inset-inline-start: 8px; top: -40px; }
.skip:focus { top: 8px; background: var(--surface); padding: 4px 8px; z-index: 1; }
@media (max-width: 560px) {
  main, header { padding-inline: 12px; }
  dl { grid-template-columns: 1fr; }
}
@media (forced-colors: active) {
  .sign { border-color: currentColor; }
}
`;
