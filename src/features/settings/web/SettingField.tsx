import { Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { type SettingSpec, settingProblem } from '#kit/settings.ts'
import { t } from '#web/t.ts'
import { useUnsaved } from '#web/unsaved.ts'
import css from './settings.module.css'
import { valueWords } from './words.ts'

type Field = { label: string; describedBy: string; spec: SettingSpec; value: string; onSave: (value: string) => void }

/** One setting: what it is called, what it does, its value, and what it is by default where that is something else. */
export function SettingField(props: { spec: SettingSpec; value: string; onSave: (value: string) => void }) {
  const { spec, value, onSave } = props
  const id = useId()
  const field = { label: spec.label, describedBy: id, spec, value, onSave }
  const isWide = spec.kind === 'text'
  return (
    <div className={css.setting} data-wide={isWide || undefined} data-under={spec.under !== undefined || undefined}>
      <div className={css.words}>
        <b>{t(spec.label)}</b>
        <p id={id}>
          {t(spec.effect)}
          {value !== spec.default && <span> {t('Padrão: {value}.', { value: valueWords(spec, spec.default) })}</span>}
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
        onChange={(event) => onSave(event.currentTarget.checked ? 'enabled' : 'disabled')}
      />
    )
  if (spec.kind === 'choice')
    return (
      <Select
        className={css.choice as string}
        aria-label={label}
        aria-describedby={describedBy}
        data={[...spec.options]}
        value={value}
        allowDeselect={false}
        onChange={(next) => next && onSave(next)}
      />
    )
  return <Written key={value} {...field} />
}

// A number or a text is saved when the field is left, or with Enter (Ctrl+Enter where Enter writes a line).
function Written({ spec, value, label, describedBy, onSave }: Field) {
  const [text, setText] = useState(value)
  const [problem, setProblem] = useState<string | null>(null)
  useUnsaved(text.trim() !== value)
  const submit = () => {
    const next = text.trim()
    const found = settingProblem(spec, next)
    setProblem(found)
    if (!found && next !== value) onSave(next)
  }
  const isText = spec.kind === 'text' && spec.lines
  const common = {
    'aria-label': label,
    'aria-describedby': describedBy,
    value: text,
    error: problem,
    onBlur: submit,
    onChange: (event: { currentTarget: { value: string } }) => {
      setText(event.currentTarget.value)
      setProblem(null)
    },
    onKeyDown: (event: { key: string; ctrlKey: boolean; metaKey: boolean }) => {
      if (event.key === 'Enter' && (!isText || event.ctrlKey || event.metaKey)) submit()
      if (event.key !== 'Escape') return
      setText(value)
      setProblem(null)
    },
  }
  if (isText) return <Textarea className={css.text as string} autosize minRows={3} maxRows={10} {...common} />
  return (
    <span className={css.number}>
      <TextInput inputMode={spec.kind === 'number' ? 'numeric' : 'text'} {...common} />
      {spec.kind === 'number' && <span>{t(spec.unit)}</span>}
    </span>
  )
}
