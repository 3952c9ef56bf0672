import { PasswordInput, TagsInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { sentence } from '#web/api.ts'
import { call, mutation } from '#web/client.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { Fields, Notice, Pair, SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import { useForm } from '#web/ui/inputs/use-form.ts'
import { PageForm } from '#web/ui/layout/PageForm.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { identityProvider } from '../addresses.ts'
import type { Provider } from '../contract.ts'
import { providerForm } from '../forms.ts'

const toFields = ({ secretHint: _, callbackUrl: __, ...settings }: Provider) => ({ ...settings, clientSecret: '' })
type Values = ReturnType<typeof toFields>
const toBody = ({ clientSecret, ...rest }: Values) => (clientSecret ? { ...rest, clientSecret } : rest)
const checker = { safeParse: (value: unknown) => providerForm.safeParse(toBody(value as Values)) }

/** Everything about the provider, with a question to it before anything is saved. */
export function ProviderForm({ settings }: { settings: Provider }) {
  const { values, errors, changed, set, reset, check, refuse } = useForm(toFields(settings), checker)
  const save = useMutation(
    mutation(identityProvider.save, {
      onSuccess: (saved) => {
        reset(toFields(saved))
        notify({ tone: 'pos', title: t('Login externo salvo.') })
      },
      onError: (error) => refuse(error),
    }),
  )
  const test = useMutation({
    mutationFn: () => call(identityProvider.test, { body: { issuer: values.issuer.trim() } }, { quiet: true }),
  })
  const submit = () => check() && save.mutate({ body: toBody(values) })
  const field = (key: 'label' | 'issuer' | 'clientId') => ({
    value: values[key],
    error: errors[key],
    onChange: (event: { currentTarget: { value: string } }) => set(key, event.currentTarget.value),
  })
  return (
    <PageForm
      changed={changed.length}
      busy={save.isPending}
      onSave={submit}
      onDrop={() => reset(toFields(settings))}
      steps={
        <BusyButton
          variant="default"
          type="button"
          busy={test.isPending}
          doing={t('Testando')}
          onClick={() => test.mutate()}
        >
          {t('Testar o emissor')}
        </BusyButton>
      }
    >
      <SwitchGroup>
        <SwitchRow
          name={t('Entrar pelo provedor')}
          effect={t('A página de entrada ganha um botão. Só entra quem já é usuário, com o mesmo e-mail.')}
          checked={values.isOn}
          onChange={(on) => set('isOn', on)}
        />
      </SwitchGroup>
      <Card title={t('Provedor')}>
        <Fields>
          <Pair>
            <TextInput {...field('issuer')} label={t('Endereço do emissor (issuer)')} inputMode="url" />
            <TextInput {...field('label')} label={t('Texto do botão')} />
          </Pair>
          <Pair>
            <TextInput {...field('clientId')} label={t('ID do cliente')} autoComplete="off" />
            <PasswordInput
              label={t('Segredo do cliente')}
              autoComplete="new-password"
              placeholder={settings.secretHint ? `••••••••${settings.secretHint}` : ''}
              description={settings.secretHint ? t('Guardado e cifrado. Vazio, fica como está.') : undefined}
              value={values.clientSecret}
              error={errors.clientSecret}
              onChange={(event) => set('clientSecret', event.currentTarget.value)}
            />
          </Pair>
          <TagsInput
            label={t('Domínios de e-mail aceitos')}
            description={t('Vazio, todos os domínios são aceitos.')}
            placeholder={values.domains.length === 0 ? 'empresa.com.br' : ''}
            value={values.domains}
            error={errors.domains}
            onChange={(next) => set('domains', next)}
          />
          <TextInput
            label={t('Endereço de retorno')}
            description={t('Cadastre-o no provedor, letra por letra.')}
            readOnly
            value={settings.callbackUrl ?? ''}
            error={
              settings.callbackUrl
                ? undefined
                : t('A instalação não conhece o endereço desta página. Defina PUBLIC_URL no servidor.')
            }
            onFocus={(event) => event.currentTarget.select()}
          />
          {test.data && (
            <Notice tone="info">
              {t('{issuer} respondeu em {ms} ms; as pessoas entram em {host}.', {
                issuer: test.data.issuer,
                ms: test.data.ms,
                host: test.data.asksAt,
              })}
            </Notice>
          )}
          {test.error && <Notice tone="neg">{sentence(test.error)}</Notice>}
        </Fields>
      </Card>
    </PageForm>
  )
}
