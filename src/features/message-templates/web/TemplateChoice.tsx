import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FilledTemplate } from '#features/messages/web/registries/template-screens.ts'
import { choicesOf } from '#web/resource/read-all.ts'
import { t } from '#web/t.ts'
import { messageTemplates } from '../addresses.ts'
import { TemplatePreview } from './TemplatePreview.tsx'
import { TemplateValues } from './TemplateValues.tsx'

type Chosen = FilledTemplate | null

/** Choice of a connection's approved template, with its variable values. */
export function TemplateChoice(props: { whatsappId: number; template: Chosen; onChange: (template: Chosen) => void }) {
  const { whatsappId, template, onChange } = props
  const usable = choicesOf(messageTemplates.list, (page) => page.items, { whatsappId, isUsable: 'true' })
  const all = useQuery(usable).data ?? []
  const isChosen = (one: { name: string; language: string }) =>
    one.name === template?.name && one.language === template.language
  const row = all.find(isChosen)
  return (
    <>
      <Select
        label={t('Modelo de mensagem')}
        placeholder={t('Escolha um modelo aprovado')}
        clearable
        searchable
        data={all.map((one) => ({ value: String(one.id), label: `${one.name} (${one.language})` }))}
        value={row ? String(row.id) : null}
        onChange={(id) => {
          const one = all.find((each) => String(each.id) === id)
          onChange(one ? { name: one.name, language: one.language, values: {} } : null)
        }}
      />
      {row && template && (
        <>
          <TemplateValues
            variables={row.variables}
            values={template.values}
            problems={{}}
            hint={t('Aceita variáveis, como {{firstName}}.')}
            onChange={(key, value) => onChange({ ...template, values: { ...template.values, [key]: value } })}
          />
          <TemplatePreview template={row} values={template.values} />
        </>
      )}
    </>
  )
}
