import { t } from '#web/t.ts'
import { ChevronDownIcon } from '#web/ui/icons.ts'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import css from './bubble.module.css'

/** Button at the corner of any conversation's bubble that opens the commands of its message. */
export function BubbleMenu(props: { commands: readonly Command[] } | { load: () => Promise<readonly Command[]> }) {
  return (
    <span className={css.corner}>
      <CommandMenu
        {...props}
        target={
          <button type="button" className={css.more} aria-label={t('Opções da mensagem')}>
            <ChevronDownIcon size={16} />
          </button>
        }
      />
    </span>
  )
}
