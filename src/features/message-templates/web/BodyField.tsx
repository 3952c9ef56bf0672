import { Button, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { TEMPLATE_LIMITS } from '#domain/message-templates/draft.ts'
import { namesIn, type TemplateContent } from '#domain/message-templates/template.ts'
import { t } from '#web/t.ts'
import { VariableIcon } from '#web/ui/icons.ts'
import { Segments, TextArea } from '#web/ui/inputs/fields.tsx'
import css from './template-form.module.css'

type Format = TemplateContent['format']

/** Field of a template's body with numbered or named variables and their samples. */
export function BodyField(props: {
  values: Pick<TemplateContent, 'format' | 'body' | 'samples'>
  problems: Readonly<Record<string, string>>
  problem: string | undefined
  onFormat: (format: Format) => void
  onBody: (body: string) => void
  onSamples: (samples: Readonly<Record<string, string>>) => void
}) {
  const { values, problems, problem, onFormat, onBody, onSamples } = props
  const { format, body, samples } = values
  const area = useRef<HTMLTextAreaElement>(null)
  const names = namesIn(body)
  const insert = () => {
    const { selectionStart = body.length, selectionEnd = selectionStart } = area.current ?? {}
    const name = freeName(format, names)
    onBody(`${body.slice(0, selectionStart)}{{${name}}}${body.slice(selectionEnd)}`)
    area.current?.focus()
  }
  return (
    <div className={css.part}>
      <Segments
        label={t('Variáveis')}
        value={format}
        options={[
          { value: 'POSITIONAL', label: t('Números: {{1}}') },
          { value: 'NAMED', label: t('Nomes: {{nome}}') },
        ]}
        onChange={onFormat}
      />
      <TextArea
        ref={area}
        label={t('Texto')}
        maxLength={TEMPLATE_LIMITS.body}
        value={body}
        error={problem}
        onChange={(event) => onBody(event.currentTarget.value)}
      />
      <div className={css.tools}>
        <Button variant="default" size="sm" leftSection={<VariableIcon size={15} />} onClick={insert}>
          {t('Inserir variável')}
        </Button>
        <span>{`${body.length}/${TEMPLATE_LIMITS.body}`}</span>
      </div>
      {names.length > 0 && <Samples names={names} samples={samples} problems={problems} onChange={onSamples} />}
    </div>
  )
}

type Texts = Readonly<Record<string, string>>

/** Sample fields of the variables. */
function Samples(props: {
  names: readonly string[]
  samples: Texts
  problems: Texts
  onChange: (samples: Texts) => void
}) {
  const { names, samples, problems, onChange } = props
  return (
    <fieldset className={css.samples}>
      <legend>{t('Exemplos: o provedor julga o modelo por eles')}</legend>
      {names.map((name) => (
        <TextInput
          key={name}
          label={`{{${name}}}`}
          maxLength={1024}
          value={samples[name] ?? ''}
          error={problems[`samples.${name}`]}
          onChange={(event) => onChange({ ...samples, [name]: event.currentTarget.value })}
        />
      ))}
    </fieldset>
  )
}

/** Returns the name of the next variable. */
function freeName(format: Format, names: readonly string[]): string {
  if (format === 'POSITIONAL') return String(names.length + 1)
  for (let n = 1; ; n++) {
    const name = n === 1 ? 'nome' : `nome_${n}`
    if (!names.includes(name)) return name
  }
}
