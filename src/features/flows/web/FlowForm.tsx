import { Radio, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type FlowTemplate, templateOf } from '#domain/flow/templates.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { SwitchRow } from '#web/ui/inputs/fields.tsx'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { flows } from '../addresses.ts'
import { flowForm } from '../forms.ts'
import type { FlowRow } from './flow-row.ts'

const templates: readonly { value: FlowTemplate | ''; label: string; text: string }[] = [
  { value: '', label: t('Em branco'), text: t('Uma etapa vazia.') },
  { value: 'menu', label: t('Menu'), text: t('Pergunta o assunto e passa para a equipe.') },
  { value: 'hours', label: t('Horário'), text: t('Fora do horário pede um recado; dentro dele passa para a equipe.') },
  {
    value: 'faq',
    label: t('Perguntas frequentes'),
    text: t('Responde às dúvidas de sempre e encerra ou chama uma pessoa.'),
  },
]

/** Drawer of a chat flow's data: `id` of the row, or 'novo'; a new flow then opens in the builder. */
export function FlowForm(props: {
  id: string
  row: FlowRow | undefined
  onMade: (id: number) => void
  onClose: () => void
}) {
  const { id, row, onMade, onClose } = props
  const isNew = id === 'novo'
  const { values, errors, set, drawer, save } = useDrawerForm(
    { name: '', isActive: true, celularTeste: '' },
    {
      stored: isNew ? null : row && { name: row.name, isActive: row.isActive, celularTeste: row.celularTeste ?? '' },
      checker: flowForm,
      onClose,
    },
  )
  const [template, setTemplate] = useState<FlowTemplate | ''>('')
  const send = async () => {
    if (isNew) {
      const { id } = await call(flows.create, { body: values }, { quiet: true })
      if (template) await call(flows.import, { params: { id }, body: templateOf(template) }, { quiet: true })
      onMade(id)
    } else await call(flows.update, { params: { id: Number(id) }, body: values }, { quiet: true })
    return t('Chatbot salvo')
  }
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={isNew ? t('Novo chatbot') : (row?.name ?? t('Chatbot'))}
      size={480}
    >
      <TextInput
        label={t('Nome')}
        required
        autoFocus
        value={values.name}
        error={errors.name}
        onChange={(event) => set('name', event.currentTarget.value)}
      />
      {isNew && <TemplateChoice template={template} setTemplate={setTemplate} />}
      <TextInput
        label={t('Número para teste')}
        description={t('Preenchido, o chatbot só atende conversas deste número, com DDD.')}
        inputMode="tel"
        value={values.celularTeste}
        error={errors.celularTeste}
        onChange={(event) => set('celularTeste', event.currentTarget.value)}
      />
      <SwitchRow
        name={t('Ativo')}
        effect={t('Desligado, nenhuma conversa nova começa com ele.')}
        checked={values.isActive}
        onChange={(isActive) => set('isActive', isActive)}
      />
    </FormDrawer>
  )
}

function TemplateChoice(props: { template: FlowTemplate | ''; setTemplate: (next: FlowTemplate | '') => void }) {
  const { template, setTemplate } = props
  return (
    <Radio.Group label={t('Começar com')} value={template} onChange={setTemplate}>
      {templates.map(({ value, label, text }) => (
        <Radio key={value} value={value} label={label} description={text} mt="xs" />
      ))}
    </Radio.Group>
  )
}
