import { Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { type SettingSpec, settingProblem } from '#kit/settings.ts'
import { t } from '#web/t.ts'
import { useDraft } from '#web/ui/inputs/use-draft.ts'
import { SaveFooter } from '#web/ui/layout/SaveFooter.tsx'
import { useUnknownVariables } from '#web/variables.ts'
import { valueLabel } from './labels.ts'
import css from './settings.module.css'

/** Saves a value; resolves to whether it was saved. */
type Save = (value: string) => Promise<boolean>
type Field = { label: string; describedBy: string; spec: SettingSpec; value: string; onSave: Save }

/** Field of one setting: label, effect, value, and the default if different. */
export function SettingField(props: { id: string; spec: SettingSpec; value: string; onSave: Save }) {
  const { spec, value, onSave } = props
  const effectId = useId()
  const field = { label: spec.label, describedBy: effectId, spec, value, onSave }
  const isWide = spec.kind === 'text'
  return (
    <div
      id={props.id}
      className={css.setting}
      data-wide={isWide || undefined}
      data-under={spec.under !== undefined || undefined}
    >
      <div className={css.labels}>
        <b>{t(spec.label)}</b>
        <p id={effectId}>
          {t(spec.effect)}
          {value !== spec.default && <span> {t('Padrão: {value}.', { value: valueLabel(spec, spec.default) })}</span>}
        </p>
      </div>
      <Control {...field} />
    </div>
  )
}

function Control(field: Field) {
  const { spec, value, label, describedBy, onSave } = field
  if (spec.kind === 'switch')
    return (
      <Switch
        aria-label={label}
        aria-describedby={describedBy}
        checked={value === 'enabled'}
        onChange={(event) => void onSave(event.currentTarget.checked ? 'enabled' : 'disabled')}
      />
    )
  if (spec.kind === 'choice')
    return (
      <Select
        className={css.choice}
        aria-label={label}
        aria-describedby={describedBy}
        data={[...spec.options]}
        value={value}
        allowDeselect={false}
        onChange={(next) => next && void onSave(next)}
      />
    )
  return <Written {...field} />
}

// Texts are saved by a button, or with Enter (Ctrl+Enter in multi-line fields).
function Written({ spec, value, label, describedBy, onSave }: Field) {
  const draft = useDraft(value)
  const [problem, setProblem] = useState<string | null>(null)
  const unknown = useUnknownVariables(draft.value)
  const submit = async () => {
    const next = draft.value.trim()
    const found = settingProblem(spec, next)
    setProblem(found)
    if (!found && (await onSave(next))) draft.discard()
  }
  const discard = () => {
    draft.discard()
    setProblem(null)
  }
  const isText = spec.kind === 'text' && spec.lines
  const common = {
    'aria-label': label,
    'aria-describedby': describedBy,
    value: draft.value,
    error: problem !== null,
    onChange: (event: { currentTarget: { value: string } }) => {
      draft.set(event.currentTarget.value)
      setProblem(null)
    },
    onKeyDown: (event: { key: string; ctrlKey: boolean; metaKey: boolean }) => {
      if (event.key === 'Enter' && (!isText || event.ctrlKey || event.metaKey)) void submit()
      if (event.key === 'Escape') discard()
    },
  }
  return (
    <>
      {isText ? (
        <Textarea className={css.text} autosize minRows={3} maxRows={10} {...common} />
      ) : (
        <span className={css.number}>
          <TextInput inputMode={spec.kind === 'number' ? 'numeric' : 'text'} {...common} />
          {spec.kind === 'number' && <span>{t(spec.unit)}</span>}
        </span>
      )}
      <SaveFooter
        isChanged={draft.isChanged}
        busy={false}
        onSave={() => void submit()}
        onDrop={discard}
        problem={problem ?? unknown ?? undefined}
      />
    </>
  )
}
