import { Button, Modal, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { templateProblems } from '#domain/message-templates/template.ts'
import type { SendTemplateProps } from '#features/messages/web/registries/template-screens.ts'
import { isApiError, sentence, sentencesIn } from '#web/api.ts'
import { choicesOf } from '#web/resource/read-all.ts'
import { useLive } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import dialogs from '#web/ui/feedback/dialogs.module.css'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { useUnknownVariables } from '#web/variables.ts'
import { messageTemplates, templateEvents } from '../addresses.ts'
import { HeaderFileButton } from './HeaderFileButton.tsx'
import css from './send-template.module.css'
import { TemplatePreview } from './TemplatePreview.tsx'
import { TemplateValues } from './TemplateValues.tsx'

/** Dialog that chooses, fills in, previews and sends a template. */
export function SendTemplate({ whatsappId, hint, takesFiles, fill, send, onClose }: SendTemplateProps) {
  // Templates of a newly connected account may still be loading.
  const usable = choicesOf(messageTemplates.list, (page) => page.items, { whatsappId, isUsable: 'true' })
  const { data } = useQuery({ ...usable, staleTime: 0 })
  const all = data?.filter(({ header }) => takesFiles || !header || header.kind === 'text')
  useLive(messageTemplates.list.family, [templateEvents.changed])
  const [chosen, setChosen] = useState<string | null>(null)
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [file, setFile] = useState<File | null>(null)
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const template = all?.find(({ id }) => String(id) === chosen)
  const kind = template?.header && template.header.kind !== 'text' ? template.header.kind : null
  const shown = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(value)]))
  const choose = (id: string | null) => {
    setChosen(id)
    setValues({})
    setFile(null)
    setProblems({})
  }
  const submit = async () => {
    if (!template) return
    const wrong = templateProblems(template, shown, file && kind)
    setProblems(wrong)
    if (Object.keys(wrong).length > 0) return
    setBusy(true)
    try {
      await send({ name: template.name, language: template.language, values }, file)
      onClose()
    } catch (error) {
      const isOfFields = isApiError(error) && error.code === 'ERR_TEMPLATE_REFUSED'
      setProblems(isOfFields ? sentencesIn(error.details) : { '': sentence(error) })
      setBusy(false)
    }
  }
  const unknown = useUnknownVariables(Object.values(values).join('\n'))
  const general = [problems[''], problems['template'], problems['body'], problems['file'], unknown]
    .filter(Boolean)
    .join(' ')
  return (
    <Modal opened onClose={onClose} size={480} title={t('Enviar modelo')}>
      <form
        className={dialogs.form}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {hint && <Notice tone="info">{hint}</Notice>}
        <Select
          searchable
          label={t('Modelo')}
          placeholder={all?.length === 0 ? t('Nenhum modelo aprovado neste canal') : t('Escolha o modelo')}
          disabled={all?.length === 0}
          data={(all ?? []).map(({ id, name, language }) => ({ value: String(id), label: `${name} · ${language}` }))}
          value={chosen}
          onChange={choose}
        />
        {template && (
          <TemplateValues
            variables={template.variables}
            values={values}
            problems={problems}
            hint={t('Aceita variáveis, como {{firstName}} e {{protocol}}.')}
            onChange={(key, value) => {
              setValues((before) => ({ ...before, [key]: value }))
              setProblems({})
            }}
          />
        )}
        {kind && <HeaderFileButton kind={kind} file={file} onChange={setFile} />}
        {template && <TemplatePreview template={template} values={shown} />}
        {general && (
          <p className={css.problem} role="alert">
            {general}
          </p>
        )}
        <div className={dialogs.footer}>
          <Button variant="default" onClick={onClose}>
            {t('Cancelar')}
          </Button>
          <Button type="submit" disabled={!template} loading={busy}>
            {t('Enviar')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
