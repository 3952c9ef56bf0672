import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { maskOf } from '#kit/fields/secret.ts'
import { mutation } from '#web/client.ts'
import { ProviderFields } from '#web/fields/ProviderFields.tsx'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { Pair, SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import { useForm } from '#web/ui/inputs/use-form.ts'
import { PageForm } from '#web/ui/layout/PageForm.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import type { companyMail } from '../addresses.ts'
import type { MailSettings } from '../contract.ts'
import { mailConfig, mailForm } from '../forms.ts'
import css from './mail.module.css'
import { TestMail } from './TestMail.tsx'

// A stored password is shown as a mask; sending the mask back changes nothing.
const toFields = ({ hasPassword, hasFallback: _, address: __, ...settings }: MailSettings) => ({
  ...settings,
  emailPass: hasPassword ? maskOf('') : '',
})
type Values = ReturnType<typeof toFields>

const isHere = (address: string) => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(address).hostname)

/** Form of a mail server's settings, with a test of the saved ones. */
export function MailForm({ operations, settings }: { operations: typeof companyMail; settings: MailSettings }) {
  const { values, errors, changed, set, reset, check, refuse } = useForm(toFields(settings), mailForm)
  const save = useMutation(
    mutation(operations.save, {
      onSuccess: (saved) => {
        reset(toFields(saved))
        notify({ tone: 'pos', title: t('E-mail salvo.') })
      },
      onError: (error) => refuse(error),
    }),
  )
  const submit = () => check() && save.mutate({ body: values })
  const field = (key: 'emailName' | 'emailFrom') => ({
    value: values[key],
    error: errors[key],
    onChange: (event: { currentTarget: { value: string } }) => set(key, event.currentTarget.value),
  })
  return (
    <div className={css.columns}>
      <PageForm changed={changed.length} busy={save.isPending} onSave={submit} onDrop={() => reset(toFields(settings))}>
        <SwitchGroup>
          <SwitchRow
            name={t('Enviar por este servidor')}
            effect={
              settings.hasFallback
                ? t('Desligado, os e-mails saem pelo servidor da instalação.')
                : t('Desligado, nenhum e-mail sai.')
            }
            checked={values.smtp === 'enabled'}
            onChange={(on) => set('smtp', on ? 'enabled' : 'disabled')}
          />
        </SwitchGroup>
        <Card title={t('Servidor')}>
          <ProviderFields
            fields={mailConfig.fields}
            values={values}
            errors={errors}
            set={(key, value) => set(key as keyof Values, value as never)}
          />
        </Card>
        <Card title={t('Remetente')}>
          <Pair>
            <TextInput {...field('emailName')} label={t('Nome')} placeholder={t('Loja Aurora')} />
            <TextInput {...field('emailFrom')} label={t('E-mail')} type="email" placeholder="contato@empresa.com.br" />
          </Pair>
        </Card>
        <p className="g-help">
          {t('Os links nos e-mails abrem em {address}', { address: settings.address })}
          {isHere(settings.address) && t(', que só existe nesta máquina. Defina PUBLIC_URL ao iniciar o Guichê.')}
        </p>
      </PageForm>
      <TestMail operations={operations} isReady={settings.smtp === 'enabled' && changed.length === 0} />
    </div>
  )
}
