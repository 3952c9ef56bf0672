import { Button, FileButton, TextInput } from '@mantine/core'
import { useState } from 'react'
import { TEMPLATE_LIMITS } from '#domain/message-templates/draft.ts'
import { HEADER_FILES, namesIn, type TemplateContent, type TemplateHeader } from '#domain/message-templates/template.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { AttachIcon, VariableIcon } from '#web/ui/icons.ts'
import { Segments } from '#web/ui/inputs/fields.tsx'
import { messageTemplates } from '../addresses.ts'
import { refusalText } from './provider-texts.ts'
import css from './template-form.module.css'

const KINDS = { none: t('Nada'), text: t('Texto'), image: t('Imagem'), video: t('Vídeo'), document: t('PDF') } as const
const ACCEPTS = { image: 'image/jpeg,image/png', video: 'video/mp4', document: 'application/pdf' } as const
type Kind = keyof typeof KINDS

/**
 * Editor of a template's header: none, a title with at most one variable, or a file, whose sample is uploaded to the
 * provider at once.
 */
export function HeaderField(props: {
  header: TemplateHeader | null
  format: TemplateContent['format']
  whatsappId: number | null
  problem: string | undefined
  onChange: (header: TemplateHeader | null) => void
}) {
  const { header, format, whatsappId, problem, onChange } = props
  const choose = (kind: Kind) => onChange(kind === 'none' ? null : kind === 'text' ? { kind, text: '' } : { kind })
  return (
    <div className={css.part}>
      <Segments
        label={t('Cabeçalho')}
        value={header?.kind ?? 'none'}
        options={(['none', 'text', ...HEADER_FILES] as const).map((value) => ({ value, label: KINDS[value] }))}
        onChange={choose}
      />
      {header?.kind === 'text' && (
        <Title header={header} variable={format === 'NAMED' ? 'titulo' : '1'} problem={problem} onChange={onChange} />
      )}
      {header && header.kind !== 'text' && (
        <SampleFile key={header.kind} {...{ header, whatsappId, problem }} onChange={onChange} />
      )}
    </div>
  )
}

type TextHeader = Extract<TemplateHeader, { kind: 'text' }>

function Title(props: {
  header: TextHeader
  variable: string
  problem: string | undefined
  onChange: (header: TemplateHeader) => void
}) {
  const { header, variable, problem, onChange } = props
  const hasVariable = namesIn(header.text).length > 0
  const lacksSample = hasVariable && !header.sample?.trim()
  return (
    <>
      <TextInput
        label={t('Título')}
        maxLength={TEMPLATE_LIMITS.header}
        value={header.text}
        error={lacksSample ? undefined : problem}
        onChange={(event) => onChange({ ...header, text: event.currentTarget.value })}
      />
      <div className={css.tools}>
        <Button
          variant="default"
          size="sm"
          leftSection={<VariableIcon size={15} />}
          disabled={hasVariable}
          onClick={() => onChange({ ...header, text: `${header.text}{{${variable}}}` })}
        >
          {t('Variável no título')}
        </Button>
      </div>
      {hasVariable && (
        <TextInput
          label={t('Exemplo do título')}
          value={header.sample ?? ''}
          error={lacksSample ? problem : undefined}
          onChange={(event) => onChange({ ...header, sample: event.currentTarget.value })}
        />
      )}
    </>
  )
}

function SampleFile(props: {
  header: Exclude<TemplateHeader, { kind: 'text' }>
  whatsappId: number | null
  problem: string | undefined
  onChange: (header: TemplateHeader) => void
}) {
  const { header, whatsappId, problem, onChange } = props
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const show = async (file: File | null) => {
    if (!file) return
    setBusy(true)
    setRefusal('')
    const form = new FormData()
    form.append('whatsappId', String(whatsappId))
    form.append('file', file, file.name)
    try {
      const { handle } = await call(messageTemplates.sample, { body: form }, { quiet: true, long: true })
      setName(file.name)
      onChange({ kind: header.kind, handle })
    } catch (error) {
      setRefusal(refusalText(error))
    }
    setBusy(false)
  }
  const wrong = refusal || problem
  return (
    <div>
      <div className={css.tools}>
        <FileButton accept={ACCEPTS[header.kind]} onChange={(file) => void show(file)}>
          {(button) => (
            <Button
              {...button}
              variant="default"
              leftSection={<AttachIcon size={17} />}
              loading={busy}
              disabled={whatsappId === null}
            >
              {header.handle ? t('Trocar o exemplo') : t('Enviar um exemplo')}
            </Button>
          )}
        </FileButton>
        <span className="g-cut">{header.handle ? name : t('Um arquivo que mostre ao provedor o que vai ali.')}</span>
      </div>
      {wrong && (
        <p className={css.problem} role="alert">
          {wrong}
        </p>
      )}
    </div>
  )
}
