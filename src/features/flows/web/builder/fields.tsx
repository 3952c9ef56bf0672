import { Select, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { idOf, type JsonObject, numberOf, objectsIn, textOf } from '#domain/flow/json.ts'
import { t } from '#web/t.ts'
import { type Named, useNames } from './names.ts'
import { TemplateText } from './TemplateText.tsx'

/** Text field of a list, one entry per line; keeps unfinished input. */
export function ListText(props: {
  label: string
  hint?: string
  texts: readonly string[]
  onChange: (texts: string[]) => void
}) {
  const { label, hint, texts, onChange } = props
  const [text, setText] = useState(texts.join('\n'))
  const written = (value: string) =>
    value
      .split('\n')
      .map((one) => one.trim())
      .filter((one) => one !== '')
  const isOwn = JSON.stringify(written(text)) === JSON.stringify(texts.map((one) => one.trim()).filter(Boolean))
  return (
    <Textarea
      label={label}
      description={hint}
      autosize
      minRows={2}
      maxRows={10}
      value={isOwn ? text : texts.join('\n')}
      onChange={(event) => {
        setText(event.currentTarget.value)
        onChange(written(event.currentTarget.value))
      }}
    />
  )
}

const headerText = (value: unknown) => objectsIn(value).map((one) => `${textOf(one['key'])}: ${textOf(one['value'])}`)

/** Text field of a call's headers, one per line. */
export function HeadersText(props: {
  label: string
  hint?: string | undefined
  value: unknown
  onChange: (value: JsonObject[]) => void
}) {
  const { label, hint, value, onChange } = props
  return (
    <ListText
      label={label}
      {...(hint ? { hint } : {})}
      texts={headerText(value)}
      onChange={(texts) =>
        onChange(
          texts.map((one) => {
            const [key = '', ...rest] = one.split(':')
            return { key: key.trim(), value: rest.join(':').trim() }
          }),
        )
      }
    />
  )
}

/** Choice of one record by name; shows a removed one as such. */
export function OneOf(props: {
  label: string
  rows: readonly Named[]
  value: number | null
  /** Label of the empty choice, if that is allowed. */
  none?: string
  hint?: string | undefined
  onChange: (id: number | null) => void
}) {
  const { label, rows, value, none, hint, onChange } = props
  const data = rows.map(({ id, name }) => ({ value: String(id), label: name }))
  const isGone = value !== null && !rows.some(({ id }) => id === value)
  return (
    <Select
      label={label}
      description={hint}
      placeholder={none ?? t('Escolha')}
      searchable
      clearable={none !== undefined}
      allowDeselect={false}
      nothingFoundMessage={t('Nenhum com esse nome')}
      data={isGone ? [...data, { value: String(value), label: t('nº {id} (não existe mais)', { id: value }) }] : data}
      value={value === null ? null : String(value)}
      onChange={(next) => onChange(next === null ? null : Number(next))}
    />
  )
}

/** Whole number within limits; may be empty during input. */
export function WholeNumber(props: {
  label: string
  value: unknown
  usual: number
  min: number
  max: number
  onChange: (value: number) => void
}) {
  const { label, value, usual, min, max, onChange } = props
  const number = numberOf(value) ?? usual
  const [text, setText] = useState(String(number))
  const isOwn = (text === '' && number === min) || Number(text) === number
  const isOutside = text !== '' && isOwn && (number < min || number > max)
  return (
    <TextInput
      label={label}
      inputMode="numeric"
      value={isOwn ? text : String(number)}
      error={isOutside && t('De {min} a {max}.', { min, max })}
      onChange={(event) => {
        const digits = event.currentTarget.value.replace(/\D/g, '').slice(0, 6)
        setText(digits)
        onChange(digits === '' ? min : Number(digits))
      }}
    />
  )
}

/** Destination of conditions and settings: a step, people, the end, or another connection. */
export type Destination = {
  readonly kind: 'node' | 'queue' | 'user' | 'close' | 'channel' | 'none'
  readonly value: unknown
}

const kinds = {
  none: t('Não direcionar'),
  node: t('Ir para a etapa'),
  queue: t('Mandar para a fila'),
  user: t('Mandar para o usuário'),
  close: t('Encerrar o atendimento'),
  channel: t('Continuar em outro canal'),
}

/** Fields of a destination among some kinds. */
export function DestinationFields(props: {
  label: string
  offered: readonly Destination['kind'][]
  destination: Destination
  steps?: readonly { readonly id: string; readonly name: string }[]
  captured: readonly string[]
  onChange: (destination: Destination) => void
}) {
  const { label, offered, destination, steps = [], captured, onChange } = props
  const { queues, users, connections } = useNames()
  const { kind, value } = destination
  const id = idOf(value)
  const set = (next: unknown) => onChange({ kind, value: next })
  const field: Record<Destination['kind'], ReactNode> = {
    none: null,
    node: (
      <Select
        label={t('Etapa')}
        placeholder={t('Escolha')}
        searchable
        allowDeselect={false}
        nothingFoundMessage={t('Nenhuma etapa com esse nome')}
        data={steps.map((step) => ({ value: step.id, label: step.name }))}
        value={textOf(value) || null}
        onChange={set}
      />
    ),
    queue: <OneOf label={t('Fila')} rows={queues} value={id} onChange={set} />,
    user: <OneOf label={t('Usuário')} rows={users} value={id} onChange={set} />,
    channel: <OneOf label={t('Canal')} rows={connections} value={id} onChange={set} />,
    close: (
      <TemplateText
        label={t('Mensagem ao encerrar')}
        rows={2}
        value={id === null ? textOf(value) : ''}
        captured={captured}
        onChange={set}
      />
    ),
  }
  return (
    <>
      <Select
        label={label}
        allowDeselect={false}
        data={offered.map((one) => ({ value: one, label: kinds[one] }))}
        value={kind}
        onChange={(next) => next && onChange({ kind: next, value: next === 'close' || next === 'node' ? '' : null })}
      />
      {field[kind]}
    </>
  )
}
