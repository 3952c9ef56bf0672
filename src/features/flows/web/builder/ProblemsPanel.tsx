import type { Ref } from 'react'
import { t } from '#web/t.ts'
import css from './builder.module.css'
import type { Detail } from './draft.ts'
import { LevelMark } from './LevelMark.tsx'
import { problemsText } from './labels.tsx'
import { SidePanel } from './SidePanel.tsx'

/** Panel of the flow's problems; each opens its place. */
export function ProblemsPanel(props: {
  problems: Detail['problems']
  cases: Detail['cases']
  refusal: string | undefined
  panel: Ref<HTMLElement>
  onOpen: (problem: Detail['problems'][number]) => void
  onCase: (id: number) => void
  onClose: () => void
}) {
  const { problems, cases, refusal, panel, onOpen, onCase, onClose } = props
  const failing = cases.filter(({ isPassed }) => !isPassed)
  return (
    <SidePanel kind={t('Fluxo')} title={problemsText(problems) || t('Nada de errado')} {...{ panel, refusal, onClose }}>
      {problems.length === 0 && failing.length === 0 && <p>{t('O fluxo pode ser publicado.')}</p>}
      <ul className={css.problems}>
        {problems.map((one, index) => (
          <li key={index}>
            <button type="button" onClick={() => onOpen(one)}>
              <LevelMark level={one.level} />
              {one.text}
            </button>
          </li>
        ))}
      </ul>
      {failing.length > 0 && (
        <section className={css.part}>
          <h3>{t('Casos que não passam')}</h3>
          <ul className={css.problems}>
            {failing.map(({ id, name }) => (
              <li key={id}>
                <button type="button" onClick={() => onCase(id)}>
                  <LevelMark level="error" />
                  {name}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </SidePanel>
  )
}
