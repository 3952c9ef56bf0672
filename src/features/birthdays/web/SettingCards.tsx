import { Select } from '@mantine/core'
import { useState } from 'react'
import { TEMPLATE_VARIABLES } from '#domain/messages/template.ts'
import type { TemplateField } from '#kit/fields/template.ts'
import { call } from '#web/client.ts'
import { TemplateInput } from '#web/fields/template.tsx'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { FileChoice } from '#web/ui/inputs/FileChoice.tsx'
import { SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import { useForm } from '#web/ui/inputs/use-form.ts'
import { PageForm } from '#web/ui/layout/PageForm.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { birthdays } from '../addresses.ts'
import type { BirthdaySetting } from '../contract.ts'
import css from './birthdays.module.css'

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))

const greeting: TemplateField = {
  kind: 'template',
  label: t('Mensagem'),
  max: 1000,
  variables: Object.fromEntries(
    (['greeting', 'firstName', 'name', 'businessName'] as const).map((name) => [name, TEMPLATE_VARIABLES[name]]),
  ),
}

/** Cards of each connection's automatic greeting: on or off, hour, content. */
export function SettingCards({ settings }: { settings: readonly BirthdaySetting[] }) {
  return (
    <section className={css.settings} aria-label={t('Envio automático')}>
      <h2>{t('Envio automático')}</h2>
      <div className={css.cards}>
        {settings.map((one) => (
          <SettingCard key={one.whatsappId} one={one} />
        ))}
      </div>
    </section>
  )
}

type Values = Pick<BirthdaySetting, 'isOn' | 'hour' | 'message'> & { file: File | null; removeFile: boolean }

const valuesOf = ({ isOn, hour, message }: BirthdaySetting): Values => ({
  ...{ isOn, hour, message },
  ...{ file: null, removeFile: false },
})

function SettingCard({ one }: { one: BirthdaySetting }) {
  const { values, errors, changed, set, reset, refuse } = useForm(valuesOf(one))
  const [isBusy, setBusy] = useState(false)
  const fileName = values.file?.name ?? (values.removeFile ? null : one.fileName)
  const save = async () => {
    setBusy(true)
    const { file, ...fields } = values
    const form = new FormData()
    for (const [key, value] of Object.entries(fields)) form.append(key, String(value))
    if (file) form.append('file', file)
    try {
      const params = { id: one.whatsappId }
      reset(valuesOf(await call(birthdays.save, { params, body: form }, { long: true, quiet: true })))
      notify({ tone: 'pos', title: t('Parabéns de {name} salvos', { name: one.name }) })
    } catch (error) {
      refuse(error)
    }
    setBusy(false)
  }
  return (
    <Card title={one.name}>
      <PageForm changed={changed.length} busy={isBusy} onSave={() => void save()} onDrop={() => reset(valuesOf(one))}>
        <SwitchGroup>
          <SwitchRow
            name={t('Enviar automaticamente')}
            effect={t('Uma vez por ano a cada contato, a partir desta hora, no fuso da empresa.')}
            checked={values.isOn}
            onChange={(isOn) => set('isOn', isOn)}
          />
        </SwitchGroup>
        <Select
          label={t('A partir das')}
          allowDeselect={false}
          data={hours}
          value={String(values.hour)}
          error={errors.hour}
          onChange={(hour) => set('hour', Number(hour))}
        />
        <TemplateInput
          field={greeting}
          look={{ rows: 3 }}
          value={values.message}
          error={errors.message}
          onChange={(message) => set('message', message)}
        />
        <FileChoice
          name={fileName}
          onChange={(file) => set('file', file)}
          onRemove={() => {
            set('file', null)
            set('removeFile', one.fileName !== null)
          }}
        />
      </PageForm>
    </Card>
  )
}
