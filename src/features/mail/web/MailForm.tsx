import { NumberInput, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { mutation } from '#web/client.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { Fields, Pair, Segments, SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import { useForm } from '#web/ui/inputs/use-form.ts'
import { PageForm } from '#web/ui/layout/PageForm.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import type { companyMail } from '../addresses.ts'
import type { MailSettings } from '../contract.ts'
import { mailForm } from '../forms.ts'
import css from './mail.module.css'
import { TestMail } from './TestMail.tsx'

/** The usual port of each kind of protection. */
const ports = { starttls: 587, tls: 465, none: 25 } as const

// An empty password means "as it is" here; taking one away is choosing no user.
const toFields = ({ hasPassword: _, hasFallback: __, address: ___, ...settings }: MailSettings) => ({
  ...settings,
  emailPass: '',
})
type Values = ReturnType<typeof toFields>
const toBody = ({ emailPass, ...rest }: Values) => {
  if (!rest.emailUser) return { ...rest, emailPass: '' }
  return emailPass ? { ...rest, emailPass } : rest
}
const checker = { safeParse: (value: unknown) => mailForm.safeParse(toBody(value as Values)) }

const isHere = (address: string) => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(address).hostname)

/** Everything about a mail server, and a test of what is saved. */
export function MailForm({ operations, settings }: { operations: typeof companyMail; settings: MailSettings }) {
  const { values, errors, changed, set, reset, check, refuse } = useForm(toFields(settings), checker)
  const save = useMutation(
    mutation(operations.save, {
      onSuccess: (saved) => {
        reset(toFields(saved))
        notify({ tone: 'pos', title: t('E-mail salvo.') })
      },
      onError: (error) => refuse(error),
    }),
  )
  const submit = () => check() && save.mutate({ body: toBody(values) })
  const secure = (next: Values['emailSecure']) => {
    set('emailSecure', next)
    if (values.emailPort === ports[values.emailSecure]) set('emailPort', ports[next])
  }
  const field = (key: 'emailHost' | 'emailUser' | 'emailName' | 'emailFrom') => ({
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
          <Fields>
            <Pair>
              <TextInput {...field('emailHost')} label={t('Servidor SMTP')} placeholder="smtp.empresa.com.br" />
              <NumberInput
                label={t('Porta')}
                min={1}
                max={65_535}
                hideControls
                thousandSeparator=""
                value={values.emailPort}
                error={errors['emailPort']}
                onChange={(value) => set('emailPort', Number(value))}
              />
            </Pair>
            <Segments
              label={t('Segurança')}
              value={values.emailSecure}
              options={[
                { value: 'starttls', label: 'STARTTLS' },
                { value: 'tls', label: 'TLS' },
                { value: 'none', label: t('Sem proteção') },
              ]}
              onChange={secure}
              hint={
                values.emailSecure === 'none'
                  ? t('Só para um servidor desta máquina ou de uma rede permitida.')
                  : undefined
              }
            />
            <Pair>
              <TextInput {...field('emailUser')} label={t('Usuário')} autoComplete="off" />
              <PasswordInput
                label={t('Senha')}
                autoComplete="new-password"
                placeholder={settings.hasPassword ? '••••••••' : ''}
                description={settings.hasPassword ? t('Guardada e cifrada. Vazia, fica como está.') : undefined}
                value={values.emailPass}
                error={errors['emailPass']}
                onChange={(event) => set('emailPass', event.currentTarget.value)}
              />
            </Pair>
          </Fields>
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
