import { Button, FileButton, Select } from '@mantine/core'
import { useState } from 'react'
import { TEMPLATE_VARIABLES } from '#domain/messages/template.ts'
import type { TemplateField } from '#kit/fields/template.ts'
import { isApiError, sentence } from '#web/api.ts'
import { call } from '#web/client.ts'
import { TemplateInput } from '#web/fields/template.tsx'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { UploadIcon } from '#web/ui/icons.ts'
import { Fields, Notice, SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
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

/** How each connection congratulates by itself: whether, from which hour on, with what. */
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

function SettingCard({ one }: { one: BirthdaySetting }) {
  const [values, setValues] = useState({ isOn: one.isOn, hour: one.hour, message: one.message })
  const [file, setFile] = useState<File | null>(null)
  const [removeFile, setRemoveFile] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const set = (changed: Partial<typeof values>) => setValues({ ...values, ...changed })
  const fileName = file?.name ?? (removeFile ? null : one.fileName)
  const save = async () => {
    setBusy(true)
    setProblem(null)
    const form = new FormData()
    for (const [key, value] of Object.entries({ ...values, removeFile })) form.append(key, String(value))
    if (file) form.append('file', file)
    try {
      const params = { id: one.whatsappId }
      await call(birthdays.save, { params, body: form as never }, { long: true, quiet: true })
      setFile(null)
      setRemoveFile(false)
      notify({ tone: 'pos', title: t('Parabéns de {name} salvos', { name: one.name }) })
    } catch (error) {
      const first = isApiError(error) ? Object.values(error.details)[0] : undefined
      setProblem(first ? String(first) : sentence(error))
    }
    setBusy(false)
  }
  return (
    <Card title={one.name}>
      <Fields>
        <SwitchGroup>
          <SwitchRow
            name={t('Enviar sozinho')}
            effect={t('Uma vez por ano a cada contato, a partir desta hora, no fuso da empresa.')}
            checked={values.isOn}
            onChange={(isOn) => set({ isOn })}
          />
        </SwitchGroup>
        <Select
          label={t('A partir das')}
          allowDeselect={false}
          data={hours}
          value={String(values.hour)}
          onChange={(hour) => set({ hour: Number(hour) })}
        />
        <TemplateInput
          field={greeting}
          look={{ rows: 3 }}
          value={values.message}
          onChange={(message) => set({ message })}
        />
        <div className={css.file}>
          <FileButton onChange={setFile} accept="image/*,audio/*,video/*,application/pdf">
            {(button) => (
              <Button {...button} variant="default" leftSection={<UploadIcon size={17} />}>
                {fileName ? t('Trocar arquivo') : t('Juntar um arquivo')}
              </Button>
            )}
          </FileButton>
          {fileName && (
            <>
              <span className="g-cut">{fileName}</span>
              <Button
                variant="default"
                onClick={() => {
                  setFile(null)
                  setRemoveFile(true)
                }}
              >
                {t('Tirar')}
              </Button>
            </>
          )}
        </div>
        {problem && <Notice tone="neg">{problem}</Notice>}
        <div className={css.footer}>
          <BusyButton variant="default" busy={isBusy} doing={t('Salvando')} onClick={() => void save()}>
            {t('Salvar')}
          </BusyButton>
        </div>
      </Fields>
    </Card>
  )
}
