import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { plural, t } from '../t.ts'
import css from './submit-foot.module.css'

/** How many fields are not saved yet, in words; nothing when there are none. */
export const unsavedWords = (changed: number): string =>
  changed > 0 ? plural(changed, 'alteração não salva', 'alterações não salvas') : ''

/** The foot of a form that stands on its page: save, what else there is to do, and how much is unsaved. */
export function SubmitFoot({ changed, busy, children }: { changed: number; busy: boolean; children?: ReactNode }) {
  return (
    <div className={css.foot}>
      <Button type="submit" loading={busy}>
        {t('Salvar')}
      </Button>
      {children}
      <span aria-live="polite">{unsavedWords(changed)}</span>
    </div>
  )
}
