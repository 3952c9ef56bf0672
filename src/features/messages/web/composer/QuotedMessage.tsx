import { t } from '#web/t.ts'
import { CloseIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { Quote, type Quoted } from '../parts/quote.tsx'
import css from './composer.module.css'

/** Quoted message above the text of any composer, with a button that removes it. */
export function QuotedMessage({ quoted, onRemove }: { quoted: Quoted; onRemove: () => void }) {
  return (
    <div className={css.quoted}>
      <Quote quoted={quoted} />
      <IconButton onClick={onRemove} aria-label={t('Não responder a esta mensagem')}>
        <CloseIcon size={16} />
      </IconButton>
    </div>
  )
}
