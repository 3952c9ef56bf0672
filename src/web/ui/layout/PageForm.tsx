import type { ReactNode } from 'react'
import { useUnsaved } from '../../unsaved.ts'
import { unsavedLabels } from '../feedback/unsaved-labels.ts'
import { submitByKey } from '../inputs/submit-key.ts'
import css from './page-form.module.css'
import { SaveFooter } from './SaveFooter.tsx'

/**
 * Form on a page: its fields, further steps below them (`steps`) and, after the first change, a footer that saves or
 * discards. Ctrl+Enter saves; leaving with changes asks.
 */
export function PageForm(props: {
  changed: number
  busy: boolean
  onSave: () => void
  onDrop: () => void
  steps?: ReactNode
  children: ReactNode
}) {
  const { changed, busy, onSave, onDrop, steps, children } = props
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
      {steps && <div>{steps}</div>}
      <div className={css.footer} aria-live="polite">
        <SaveFooter isChanged={changed > 0} busy={busy} onDrop={onDrop} unsaved={unsavedLabels(changed)} />
      </div>
    </form>
  )
}
