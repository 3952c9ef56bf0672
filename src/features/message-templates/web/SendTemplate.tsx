import { Modal, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { templateProblems } from '#domain/message-templates/template.ts'
import type { SendTemplateProps } from '#features/messages/web/registries/template-screens.ts'
import { isApiError, sentence, sentencesIn } from '#web/api.ts'
import { choicesOf } from '#web/resource/read-all.ts'
import { useLive } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import { DialogEnd } from '#web/ui/feedback/DialogEnd.tsx'
import dialogs from '#web/ui/feedback/dialogs.module.css'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { useUnknownVariables } from '#web/variables.ts'
import { messageTemplates, templateEvents } from '../addresses.ts'
import { HeaderFileButton } from './HeaderFileButton.tsx'
import { TemplatePreview } from './TemplatePreview.tsx'
import { TemplateValues } from './TemplateValues.tsx'

/** Dialog that chooses, fills in, previews and sends a template. */
export function SendTemplate({ whatsappId, hint, takesFiles, fill, send, onClose }: SendTemplateProps) {
  const all = useUsable(whatsappId, takesFiles)
  const { chosen, choose, values, setValue, file, setFile, problems, setProblems } = useFilling()
  const [busy, setBusy] = useState(false)
  const template = all?.find(({ id }) => String(id) === chosen)
  const kind = template?.header && template.header.kind !== 'text' ? template.header.kind : null
  const shown = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(value)]))
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
        <TemplateSelect all={all} chosen={chosen} onChange={choose} />
        {template && (
          <TemplateValues
            variables={template.variables}
            values={values}
            problems={problems}
            hint={t('Aceita variáveis, como {{firstName}} e {{protocol}}.')}
            onChange={setValue}
          />
        )}
        {kind && <HeaderFileButton kind={kind} file={file} onChange={setFile} />}
        {template && <TemplatePreview template={template} values={shown} />}
        <DialogEnd
          problem={general}
          action={t('Enviar')}
          isReady={template !== undefined}
          busy={busy}
          onClose={onClose}
        />
      </form>
    </Modal>
  )
}

/** Hook with the templates that can be sent from a connection; undefined while they load. */
function useUsable(whatsappId: number, takesFiles: boolean) {
  // Templates of a newly connected account may still be loading.
  const usable = choicesOf(messageTemplates.list, (page) => page.items, { whatsappId, isUsable: 'true' })
  const { data } = useQuery({ ...usable, staleTime: 0 })
  const all = data?.filter(({ header }) => takesFiles || !header || header.kind === 'text')
  useLive(messageTemplates.list.family, [templateEvents.changed])
  return all
}

type Template = NonNullable<ReturnType<typeof useUsable>>[number]

/** Hook with the chosen template, its values and file, and what is wrong with them; a choice empties the rest. */
function useFilling() {
  const [chosen, setChosen] = useState<string | null>(null)
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [file, setFile] = useState<File | null>(null)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const choose = (id: string | null) => {
    setChosen(id)
    setValues({})
    setFile(null)
    setProblems({})
  }
  const setValue = (key: string, value: string) => {
    setValues((before) => ({ ...before, [key]: value }))
    setProblems({})
  }
  return { chosen, choose, values, setValue, file, setFile, problems, setProblems }
}

/** Choice of the template. */
function TemplateSelect(props: {
  all: readonly Template[] | undefined
  chosen: string | null
  onChange: (id: string | null) => void
}) {
  const { all, chosen, onChange } = props
  return (
    <Select
      searchable
      label={t('Modelo')}
      placeholder={all?.length === 0 ? t('Nenhum modelo aprovado neste canal') : t('Escolha o modelo')}
      disabled={all?.length === 0}
      data={(all ?? []).map(({ id, name, language }) => ({ value: String(id), label: `${name} · ${language}` }))}
      value={chosen}
      onChange={onChange}
    />
  )
}
