import { Button, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { TEMPLATE_VARIABLES } from '#domain/messages/template.ts'
import { memberOf } from '#domain/present.ts'
import type { TemplateField } from '#kit/fields/template.ts'
import { howToInstall } from '#kit/how-to-install.ts'
import { type ProviderFields as Fields, type ProviderValues, startValues, valuesSchema } from '#kit/provider.ts'
import { capabilitiesOf, channelType, registersWebhook } from '#providers/channels/configs.ts'
import { call, query } from '#web/client.ts'
import { ProviderFields } from '#web/fields/ProviderFields.tsx'
import { TemplateInput } from '#web/fields/template.tsx'
import { t } from '#web/t.ts'
import { channelLook } from '#web/ui/identity/channels.ts'
import { Notice, SwitchRow } from '#web/ui/inputs/fields.tsx'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { connections } from '../connection-addresses.ts'
import type { ConnectionDetail } from '../contract.ts'
import { connectionForm } from '../forms.ts'
import { BotChoice } from './BotChoice.tsx'
import { NameAndQueue } from './NameAndQueue.tsx'
import { PickedAccount } from './PickedAccount.tsx'
import { ProxyChoice } from './ProxyChoice.tsx'
import { TryChannel } from './TryChannel.tsx'
import { UnusedCalls } from './UnusedCalls.tsx'

/** Values of the form outside of the channel's fields, by field name. */
type Values = {
  name: string
  queueId: number | null
  destroyMessage: 'enabled' | 'disabled'
  disableExternalIntegration: 'enabled' | 'disabled'
  ignoreBussinesHours: 'enabled' | 'disabled'
  wordlist: 'enabled' | 'disabled'
  closeKeyWord: string
  farewellMessage: string
  proxyId: number | null
  chatFlowId: number | null
  [field: string]: ProviderValues[string]
}

const farewell: TemplateField = {
  kind: 'template',
  label: t('Mensagem de encerramento'),
  hint: t('Enviada ao resolver, quando nenhuma despedida é escolhida. Em branco, nada é enviado.'),
  max: 1000,
  variables: TEMPLATE_VARIABLES,
}

const configOf = (fields: Fields, values: Values): ProviderValues =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, values[name] ?? null]))

const checkerOf = (type: string, fields: Fields) => ({
  safeParse: (values: Values) => {
    const { name, queueId, destroyMessage, disableExternalIntegration } = values
    const { ignoreBussinesHours, wordlist, closeKeyWord, farewellMessage, proxyId, chatFlowId } = values
    const schema = connectionForm.extend({ config: valuesSchema(fields) })
    const ending = { ignoreBussinesHours, wordlist, closeKeyWord, farewellMessage, proxyId, chatFlowId }
    const plain = { type, name, queueId, destroyMessage, disableExternalIntegration, ...ending }
    return schema.safeParse({ ...plain, config: configOf(fields, values) })
  },
})

const toValues = (row: ConnectionDetail): Values => ({
  ...row.config,
  name: row.name,
  queueId: row.queueId,
  destroyMessage: row.destroyMessage,
  disableExternalIntegration: row.disableExternalIntegration,
  ignoreBussinesHours: row.ignoreBussinesHours,
  wordlist: row.wordlist,
  closeKeyWord: row.closeKeyWord,
  farewellMessage: row.farewellMessage,
  proxyId: row.proxyId,
  chatFlowId: row.chatFlowId,
})

/**
 * Form of a connection, rendered from its channel's config: `id`, or 'novo' with the chosen `type`; `isMissing`: the type's
 * package is not installed; `onCreated` is called after the creation.
 */
export function ConnectionForm(props: {
  id: string
  type: string
  isMissing: boolean
  onCreated: (row: { id: number; type: string }) => void
  onClose: () => void
}) {
  const { id, type, isMissing, onCreated, onClose } = props
  const isNew = id === 'novo'
  const config = channelType(type)?.config
  const { fields: all = {}, screen, isProxied, needs } = config ?? {}
  const { name: channel } = channelLook(type)
  const row = useQuery({ ...query(connections.get, { params: { id: Number(id) } }), enabled: !isNew, gcTime: 0 })
  const isVirtual = row.data?.isVirtual ?? false
  const fields: Fields = isVirtual ? {} : all
  const navigate = useNavigate()
  const form = useDrawerForm<Values>(
    {
      ...startValues(fields),
      ...{ name: channel, queueId: null, destroyMessage: 'disabled', disableExternalIntegration: 'disabled' },
      ...{
        ignoreBussinesHours: 'disabled',
        wordlist: 'disabled',
        closeKeyWord: '',
        farewellMessage: '',
        proxyId: null,
        chatFlowId: null,
      },
    },
    {
      stored: isNew ? null : row.data && toValues(row.data),
      reading: row,
      checker: checkerOf(type, fields),
      unique: [
        Object.keys(fields).find((name) => memberOf(fields, name).isAccount) ?? 'name',
        t('Esta conta já tem um canal.'),
      ],
      onClose,
    },
  )
  const { values, errors, set, refuse, drawer, save } = form
  const send = async () => {
    const { name, queueId, destroyMessage, disableExternalIntegration, ignoreBussinesHours } = values
    const { closeKeyWord, farewellMessage, chatFlowId, wordlist } = values
    const flags = {
      ...{ destroyMessage, disableExternalIntegration, ignoreBussinesHours, closeKeyWord, farewellMessage, chatFlowId },
      wordlist,
      ...(isProxied ? { proxyId: values.proxyId } : {}),
    }
    const given = configOf(fields, values)
    if (isNew) {
      const body = { type, name, queueId, ...flags, config: given }
      onCreated(await call(connections.create, { body }, { quiet: true }))
      return t('Canal criado')
    }
    const body = { name, queueId, ...flags, ...(isVirtual ? {} : { config: given }) }
    await call(connections.update, { params: { id: Number(id) }, body }, { quiet: true })
    return t('Canal salvo')
  }
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={isNew ? t('Novo canal') : t('Editar canal')}
      sub={isVirtual ? t('{channel}, com telefones do laboratório', { channel }) : channel}
      size={540}
    >
      {needs && isMissing && <Notice tone="warn">{howToInstall(needs)}</Notice>}
      <NameAndQueue autoFocus values={values} errors={errors} set={set} />
      {config?.picked && !isVirtual && (isNew || row.data) && (
        <PickedAccount
          {...{ config: { ...config, picked: config.picked }, id: isNew ? null : Number(id), fields, values, errors }}
          onPick={(picked, called) => {
            for (const [name, value] of Object.entries(picked)) set(name, value)
            if (isNew && values.name === channel) set('name', called.slice(0, 60))
          }}
        />
      )}
      {Object.keys(fields).length > 0 && !config?.picked && (
        <ProviderFields fields={fields} values={values} errors={errors} set={(name, value) => set(name, value)} />
      )}
      {isProxied && !isVirtual && (
        <ProxyChoice value={values.proxyId} error={errors['proxyId']} onChange={(id) => set('proxyId', id)} />
      )}
      {config && !screen && !isVirtual && (isNew || row.data) && (
        <TryChannel
          asked={{
            ...(isNew ? {} : { id: Number(id) }),
            ...{ type, config: configOf(fields, values), proxyId: isProxied ? values.proxyId : null },
          }}
          onRefuse={refuse}
        />
      )}
      <BotChoice value={values.chatFlowId} error={errors['chatFlowId']} onChange={(id) => set('chatFlowId', id)} />
      <SwitchRow
        name={t('Apagar de verdade')}
        effect={t('Uma mensagem apagada perde o texto e o arquivo também aqui.')}
        checked={values.destroyMessage === 'enabled'}
        onChange={(isOn) => set('destroyMessage', isOn ? 'enabled' : 'disabled')}
      />
      <SwitchRow
        name={t('Desligar assistentes ao atender')}
        effect={t('Quando uma pessoa assume o atendimento, os assistentes deixam de responder nele.')}
        checked={values.disableExternalIntegration === 'enabled'}
        onChange={(isOn) => set('disableExternalIntegration', isOn ? 'enabled' : 'disabled')}
      />
      <SwitchRow
        name={t('Ignorar o horário de atendimento')}
        effect={t(
          'Quem escreve por aqui é atendido como dentro do horário: sem mensagem de ausência nem “Fora do horário”.',
        )}
        checked={values.ignoreBussinesHours === 'enabled'}
        onChange={(isOn) => set('ignoreBussinesHours', isOn ? 'enabled' : 'disabled')}
      />
      {capabilitiesOf(type).groupTools && (
        <SwitchRow
          name={t('Vigia de palavras')}
          effect={t(
            'Nos grupos deste canal, o que tem uma palavra proibida é apagado ou avisado, como cadastrado em Grupos.',
          )}
          checked={values.wordlist === 'enabled'}
          onChange={(isOn) => set('wordlist', isOn ? 'enabled' : 'disabled')}
        />
      )}
      <Textarea
        label={t('Palavras de encerramento')}
        description={t('O cliente que escreve só uma delas encerra o atendimento. Uma por linha.')}
        autosize
        maxLength={200}
        value={values.closeKeyWord}
        error={errors['closeKeyWord']}
        onChange={(event) => set('closeKeyWord', event.currentTarget.value)}
      />
      <TemplateInput
        field={farewell}
        value={values.farewellMessage}
        error={errors['farewellMessage']}
        onChange={(text) => set('farewellMessage', text)}
      />
      {row.data?.webhookPath && !registersWebhook(type) && (
        <TextInput
          label={t('Endereço para o provedor (webhook)')}
          description={t('Cadastre-o no provedor, letra por letra.')}
          readOnly
          value={location.origin + row.data.webhookPath}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
      {row.data && <UnusedCalls refused={row.data.refusedCalls} unread={row.data.unreadFields} />}
      {screen && (
        <div>
          <Button variant="default" onClick={() => void navigate({ to: screen })}>
            {t('Abrir a tela do canal')}
          </Button>
        </div>
      )}
    </FormDrawer>
  )
}
