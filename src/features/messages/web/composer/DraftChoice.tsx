import { Button } from '@mantine/core'
import { t } from '#web/t.ts'
import css from './draft-choice.module.css'
import type { Versioned } from './draft-store.ts'
import { chooseDraft } from './draft-sync.ts'

/** Choice between this device's draft and one that another device wrote in the same conversation. */
export function DraftChoice({ ticketId, other }: { ticketId: number; other: Versioned }) {
  return (
    <div className={css.choice} role="group" aria-label={t('Rascunho de outro aparelho')}>
      <p>
        <b>{t('Em outro aparelho você escreveu:')}</b>
        <span>{other.body}</span>
      </p>
      <Button variant="default" size="xs" onClick={() => chooseDraft(ticketId, 'other')}>
        {t('Usar esse')}
      </Button>
      <Button variant="default" size="xs" onClick={() => chooseDraft(ticketId, 'own')}>
        {t('Manter o deste aparelho')}
      </Button>
    </div>
  )
}
