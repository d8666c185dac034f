/** Buttons of a small screen that go to the next file and back; a stroke of the finger does the same. */
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "../../../i18n/use-translation.tsx";

export function FileSteps({ onStep }: { readonly onStep: (step: 1 | -1) => void }) {
  const { t } = useTranslation("diff");
  const steps = [
    { step: -1, words: t("previousFile"), Icon: ChevronLeft },
    { step: 1, words: t("nextFile"), Icon: ChevronRight },
  ] as const;
  return (
    <span className="flex flex-none gap-2 sm:hidden">
      {steps.map(({ step, words, Icon }) => (
        <button
          key={step}
          type="button"
          aria-label={words}
          className="button size-11 justify-center p-0!"
          onClick={() => onStep(step)}
        >
          <Icon size={18} aria-hidden="true" />
        </button>
      ))}
    </span>
  );
}
