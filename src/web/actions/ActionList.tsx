import type { Action } from '#domain/actions/actions.ts'
import { actionOf, type Draft, draftOf, moved } from './draft.ts'
import { KINDS } from './labels.ts'
import { PartList } from './PartList.tsx'
import { StepEditor } from './StepEditor.tsx'

/** Editor of the ordered actions of a macro or rule. `problemOf` returns the problem of an action, after a check. */
export function ActionList(props: {
  name: string
  heading: string
  add: string
  actions: readonly Draft[]
  error: string | undefined
  problemOf: (action: Action) => string | undefined
  /** Actions run automatically, as those of a rule: no one presses a button. */
  byItself?: boolean
  onChange: (next: readonly Draft[]) => void
}) {
  const { actions, error, onChange } = props
  const problems = actions.map((step) => (error ? props.problemOf(actionOf(step)) : undefined))
  return (
    <PartList
      name={props.name}
      heading={props.heading}
      error={error}
      partErrors={problems}
      add={props.add}
      kinds={Object.entries(KINDS).map(([kind, { label, icon }]) => ({
        id: kind,
        label,
        icon,
        run: () => onChange([...actions, draftOf(kind as keyof typeof KINDS)]),
      }))}
    >
      {actions.map((step, index) => (
        <StepEditor
          key={index}
          step={step}
          index={index}
          count={actions.length}
          error={problems[index]}
          {...(props.byItself ? { byItself: true } : {})}
          onChange={(next) => onChange(actions.with(index, next))}
          onMove={(by) => onChange(moved(actions, index, by))}
          onRemove={() => onChange(actions.toSpliced(index, 1))}
        />
      ))}
    </PartList>
  )
}
