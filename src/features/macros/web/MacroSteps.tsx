import type { ReactNode } from 'react'
import { KINDS, labelOf } from '#web/actions/labels.ts'
import { t } from '#web/t.ts'
import type { Macro, MacroPreview } from '../contract.ts'
import css from './macros.module.css'

/** List of a macro's actions; with `preview`, each one's effect on a ticket, or the reason for its refusal. */
export function MacroSteps({ macro, preview }: { macro: Macro; preview?: MacroPreview | undefined }) {
  return (
    <ol className={css.steps} aria-label={t('Passos')}>
      {macro.steps.map((step, index) => {
        const { icon: Icon } = KINDS[step.action.kind]
        const found = preview?.steps[index]
        const body = found?.body ?? ('body' in step.action ? step.action.body : null)
        const problem = found ? found.refusal : step.problem
        const notes: ReactNode[] = []
        if (body !== null) notes.push(<q key="body">{body}</q>)
        if (problem) notes.push(<b key="problem">{problem}</b>)
        else if (found?.isSame) notes.push(<span key="same">{t('Já está assim.')}</span>)
        return (
          <li key={index} data-wrong={problem !== null || undefined}>
            <Icon size={18} />
            <div>
              <p>{labelOf(step)}</p>
              {notes}
            </div>
          </li>
        )
      })}
    </ol>
  )
}
