import { useMutation, useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { type ProviderValues, startValues, valuesSchema } from '#kit/provider.ts'
import type { ChannelConfig } from '#providers/channels/configs.ts'
import { sentence } from '#web/api.ts'
import { call, mutation, query } from '#web/client.ts'
import { ProviderFields } from '#web/fields/ProviderFields.tsx'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Fields, Notice } from '#web/ui/inputs/fields.tsx'
import { useForm } from '#web/ui/inputs/use-form.ts'
import { PageForm } from '#web/ui/layout/PageForm.tsx'
import { Card, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { providers } from '../provider-addresses.ts'

type Settings = NonNullable<ChannelConfig['settings']>
type Drawn = { readonly id: string; readonly settings: Settings }

/** The screen on which a provider is set, drawn from its config. */
export const providerScreen =
  (id: string, settings: Settings): ComponentType =>
  () => <ProviderSettings id={id} settings={settings} />

function ProviderSettings({ id, settings }: Drawn) {
  const { data, error, refetch } = useQuery({ ...query(providers.get, { params: { id } }), gcTime: 0 })
  if (error) return <LoadError text={sentence(error)} retry={refetch} />
  const whose =
    viewer().profile === 'superadmin'
      ? t('Vale para a instalação: as empresas que não preencherem o próprio usam este')
      : t('Vale para todas as conexões da empresa neste provedor')
  return (
    <Page>
      <PageHeader title={settings.name} facts={whose} />
      {data ? <ProviderForm id={id} settings={settings} stored={data} /> : <SkeletonRows kind="card" rows={2} />}
    </Page>
  )
}

function ProviderForm({ id, settings: { name, fields }, stored }: Drawn & { stored: ProviderValues }) {
  const start = { ...startValues(fields), ...stored }
  const { values, errors, changed, set, reset, check, refuse } = useForm<Record<string, ProviderValues[string]>>(
    start,
    valuesSchema(fields),
  )
  const test = useMutation({
    mutationFn: () => call(providers.test, { params: { id }, body: values }, { quiet: true }),
    onError: (error) => refuse(error),
  })
  const save = useMutation(
    mutation(providers.save, {
      onSuccess: (saved) => {
        reset({ ...startValues(fields), ...saved })
        notify({ tone: 'pos', title: t('{name} salvo.', { name }) })
      },
      onError: (error) => refuse(error),
    }),
  )
  return (
    <PageForm
      changed={changed.length}
      busy={save.isPending}
      onSave={() => check() && save.mutate({ params: { id }, body: values })}
      onDrop={() => reset(start)}
    >
      <Card title={t('Acesso')}>
        <Fields>
          <ProviderFields
            fields={fields}
            values={values}
            errors={errors}
            set={(key, value) => {
              set(key, value)
              test.reset()
            }}
          />
          <div>
            <BusyButton
              variant="default"
              busy={test.isPending}
              doing={t('Testando')}
              onClick={() => check() && test.mutate()}
            >
              {t('Testar')}
            </BusyButton>
          </div>
          <div aria-live="polite">
            {test.data && <Notice tone={test.data.ok ? 'info' : 'neg'}>{test.data.text}</Notice>}
          </div>
        </Fields>
      </Card>
    </PageForm>
  )
}
