import { useState } from 'react'
import { templateProblems } from '#domain/message-templates/template.ts'
import { isApiError, sentence, sentencesIn } from '#web/api.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { FormDialog } from '#web/ui/feedback/FormDialog.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { PhoneInput } from '#web/ui/inputs/PhoneInput.tsx'
import { messageTemplates } from '../addresses.ts'
import type { MessageTemplateRow } from '../contract.ts'
import { HeaderFileButton } from './HeaderFileButton.tsx'
import { TemplatePreview } from './TemplatePreview.tsx'
import { TemplateValues } from './TemplateValues.tsx'

/** Dialog that sends a template, with its file, to a number for a test; the message is not stored in a conversation. */
export function TestTemplate({ template, onClose }: { template: MessageTemplateRow; onClose: () => void }) {
  const { id, name, variables, header } = template
  const kind = header && header.kind !== 'text' ? header.kind : null
  const [file, setFile] = useState<File | null>(null)
  const [number, setNumber] = useState('')
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(variables.map(({ key, sample }) => [key, sample])),
  )
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const send = async () => {
    const digits = number.replace(/\D/g, '')
    const wrong = {
      ...templateProblems(template, values, file && kind),
      ...(/^\d{8,15}$/.test(digits) ? {} : { number: t('Informe o número com país e DDD.') }),
    }
    setProblems(wrong)
    if (Object.keys(wrong).length > 0) return
    const form = new FormData()
    form.append('number', digits)
    form.append('values', JSON.stringify(values))
    if (file) form.append('file', file, file.name)
    const body = file ? (form as never) : { number: digits, values }
    try {
      await call(messageTemplates.test, { params: { id }, body }, { quiet: true, long: true })
      notify({ tone: 'pos', title: t('Modelo enviado: confira no telefone') })
      onClose()
    } catch (error) {
      const isOfFields = isApiError(error) && error.code === 'ERR_TEMPLATE_REFUSED'
      setProblems(isOfFields ? sentencesIn(error.details) : { '': sentence(error) })
    }
  }
  const general = [problems[''], problems['template'], problems['body'], problems['file']].filter(Boolean).join(' ')
  return (
    <FormDialog title={t('Testar “{name}”', { name })} action={t('Enviar teste')} onSubmit={send} onClose={onClose}>
      <PhoneInput
        data-autofocus
        label={t('Número de WhatsApp')}
        value={number}
        error={problems['number']}
        onChange={(next) => {
          setNumber(next)
          setProblems({})
        }}
      />
      <TemplateValues
        variables={variables}
        values={values}
        problems={problems}
        onChange={(key, value) => {
          setValues((before) => ({ ...before, [key]: value }))
          setProblems({})
        }}
      />
      {kind && <HeaderFileButton kind={kind} file={file} onChange={setFile} />}
      <TemplatePreview template={template} values={values} />
      {general && <Notice tone="neg">{general}</Notice>}
    </FormDialog>
  )
}
