import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../t.ts'
import { useUnsaved } from '../unsaved.ts'
import css from './page-form.module.css'
import { submitByKey } from './submit-key.ts'
import { unsavedWords } from './unsaved-words.ts'

/**
 * A form that stands on its page: its fields, and below them save, what else there is to do (`steps`) and how many
 * fields are not saved yet. Ctrl+Enter saves; leaving with changes asks.
 */
export function PageForm(props: {
  changed: number
  busy: boolean
  onSave: () => void
  steps?: ReactNode
  children: ReactNode
}) {
  const { changed, busy, onSave, steps, children } = props
  useUnsaved(changed > 0)
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) onSave()
      }}
      onKeyDown={(event) => submitByKey(event, event.currentTarget)}
    >
      {children}
      <div className={css.foot}>
        <Button type="submit" loading={busy}>
          {t('Salvar')}
        </Button>
        {steps}
        <span aria-live="polite">{unsavedWords(changed)}</span>
      </div>
    </form>
  )
}
