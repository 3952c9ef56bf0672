import { TagsInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Answer } from '#kit/contract.ts'
import { maskOf } from '#kit/fields/secret.ts'
import { sentence } from '#web/api.ts'
import { call, mutation } from '#web/client.ts'
import { ProviderFields } from '#web/fields/ProviderFields.tsx'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { Fields, Notice, SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import { type FieldErrors, type SetField, useForm } from '#web/ui/inputs/use-form.ts'
import { PageForm } from '#web/ui/layout/PageForm.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { identityProvider } from '../addresses.ts'
import type { Provider } from '../contract.ts'
import { identityConfig, providerForm } from '../forms.ts'

// The stored secret is shown masked with its last characters; sending the mask back changes nothing.
const shownSecret = ({ secretHint }: Provider) => (secretHint === null ? '' : maskOf(secretHint))
const toFields = (provider: Provider) => {
  const { secretHint: _, callbackUrl: __, ...settings } = provider
  return { ...settings, clientSecret: shownSecret(provider) }
}
type Values = ReturnType<typeof toFields>

/** Form of the provider's settings, with a test before saving. */
export function ProviderForm({ settings }: { settings: Provider }) {
  const { values, errors, changed, set, reset, check, refuse } = useForm(toFields(settings), providerForm)
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
  const submit = () => check() && save.mutate({ body: values })
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
      <ProviderCard values={values} errors={errors} set={set} settings={settings} test={test} />
    </PageForm>
  )
}

function ProviderCard(props: {
  values: Values
  errors: FieldErrors
  set: SetField<Values>
  settings: Provider
  test: { data: Answer<typeof identityProvider.test> | undefined; error: Error | null }
}) {
  const { values, errors, set, settings, test } = props
  return (
    <Card title={t('Provedor')}>
      <Fields>
        <ProviderFields
          fields={identityConfig.fields}
          values={values}
          errors={errors}
          set={(key, value) => set(key as keyof Values, value as never)}
        />
        <TextInput
          label={t('Texto do botão')}
          value={values.label}
          error={errors.label}
          onChange={(event) => set('label', event.currentTarget.value)}
        />
        <TagsInput
          label={t('Domínios de e-mail aceitos')}
          description={t('Em branco, todos os domínios são aceitos.')}
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
  )
}
