import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { firstOf } from '#domain/present.ts'
import { type ProviderValues, startValues, valuesSchema } from '#kit/provider.ts'
import { sentence } from '#web/api.ts'
import { call, mutation, query } from '#web/client.ts'
import { ProviderFields } from '#web/fields/ProviderFields.tsx'
import { viewer } from '#web/session/session.ts'
import { plural, t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { ChannelTile } from '#web/ui/identity/ChannelTile.tsx'
import { Fields } from '#web/ui/inputs/fields.tsx'
import { useForm } from '#web/ui/inputs/use-form.ts'
import { PageForm } from '#web/ui/layout/PageForm.tsx'
import { Card, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { providers } from '../provider-addresses.ts'
import { ProviderSide } from './ProviderSide.tsx'
import { ProviderWebhook } from './ProviderWebhook.tsx'
import css from './provider-screen.module.css'
import type { ProviderOf } from './provider-tabs.ts'
import { timed } from './trial.ts'
import { useUsing } from './use-using.ts'

type Drawn = Pick<ProviderOf, 'id' | 'settings'>

/** Form of a provider's settings, rendered from its config. */
export function ProviderSettings({ config, tabs }: { config: ProviderOf; tabs: ReactNode }) {
  const { id, about, settings, types } = config
  const { data, error, refetch } = useQuery({ ...query(providers.get, { params: { id } }), gcTime: 0 })
  const used = useUsing(id).length
  if (error) return <LoadError text={sentence(error)} retry={refetch} />
  const isCommon = viewer().profile === 'superadmin'
  const facts = [
    about.does,
    isCommon
      ? t('Vale para a instalação: as empresas que não preencherem o próprio usam este.')
      : used > 0 && t('Usado por {channels}.', { channels: plural(used, t('canal'), t('canais')) }),
  ]
  return (
    <Page>
      <PageHeader
        title={settings.name}
        icon={<ChannelTile type={firstOf(types).type} />}
        facts={facts.filter(Boolean).join(' ')}
      />
      {tabs}
      {data ? (
        <ProviderForm id={id} settings={settings} stored={data}>
          {settings.webhook && <ProviderWebhook stored={data} />}
        </ProviderForm>
      ) : (
        <SkeletonRows kind="card" rows={2} />
      )}
    </Page>
  )
}

const filledIn = (fields: ProviderOf['fields'], stored: ProviderValues): Record<string, ProviderValues[string]> => {
  const start = startValues(fields)
  return { ...start, ...Object.fromEntries(Object.entries(stored).filter(([name]) => name in start)) }
}

function ProviderForm(props: Drawn & { stored: ProviderValues; children: ReactNode }) {
  const { id, settings, stored, children } = props
  const { name, fields } = settings
  const start = filledIn(fields, stored)
  const { values, errors, changed, set, reset, check, refuse } = useForm<Record<string, ProviderValues[string]>>(
    start,
    valuesSchema(fields),
  )
  const test = useMutation({
    mutationFn: () => timed(() => call(providers.test, { params: { id }, body: values }, { quiet: true })),
    onError: (error) => refuse(error),
  })
  const save = useMutation(
    mutation(providers.save, {
      onSuccess: (saved) => {
        reset(filledIn(fields, saved))
        notify({ tone: 'pos', title: t('{name} salvo.', { name }) })
      },
      onError: (error) => refuse(error),
    }),
  )
  const form = (
    <PageForm
      changed={changed.length}
      busy={save.isPending}
      onSave={() => check() && save.mutate({ params: { id }, body: values })}
      onDrop={() => reset(start)}
      steps={children}
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
        </Fields>
      </Card>
    </PageForm>
  )
  return (
    <div className={css.columns}>
      {form}
      <ProviderSide id={id} trial={test.data} />
    </div>
  )
}
