/** A box whose words filter a list. What is typed stands there at once; the address, which keeps it, follows. */
import { useRef, useState } from "react";
import { KeyCap } from "../key-cap.tsx";

export function FilterField(props: {
  readonly label: string;
  readonly words: string;
  readonly onWords: (words: string) => void;
  readonly className?: string;
}) {
  const { words, onWords } = props;
  const box = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(words);
  const [told, setTold] = useState(words);
  // Somebody else changed the address, such as the way back.
  if (told !== words) {
    setTold(words);
    if (document.activeElement !== box.current) setTyped(words);
  }
  return (
    <label className="flex items-center gap-1.5 text-small text-ink-2">
      <span className="visually-hidden">{props.label}</span>
      <input
        ref={box}
        data-filter=""
        className={`h-7 pointer-coarse:h-11 rounded-control border border-transparent bg-transparent px-1 hover:border-line-strong focus:border-line-strong ${props.className ?? "w-40"}`}
        placeholder={props.label}
        value={typed}
        onChange={({ target, nativeEvent }) => {
          setTyped(target.value);
          // Kana that are being converted are no words yet.
          if (!(nativeEvent as InputEvent).isComposing) onWords(target.value);
        }}
        onCompositionEnd={({ currentTarget }) => onWords(currentTarget.value)}
      />
      <KeyCap spec="/" />
    </label>
  );
}
