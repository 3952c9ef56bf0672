import { ColorInput, TagsInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { NameAndQueue } from '#features/connections/web/index.ts'
import { mutation } from '#web/client.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { Fields, Pair, Segments, SwitchGroup, SwitchRow, TextArea } from '#web/ui/inputs/fields.tsx'
import { type FieldErrors, type SetField, useForm } from '#web/ui/inputs/use-form.ts'
import { PageForm } from '#web/ui/layout/PageForm.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { webchatChannels } from '../addresses.ts'
import type { WebchatChannel, WebchatMailer } from '../contract.ts'
import { webchatChannelForm } from '../forms.ts'
import { BeginningFields } from './BeginningFields.tsx'
import { InstallCode } from './InstallCode.tsx'
import css from './webchat.module.css'

/** Flattens a channel into form values. */
const toFields = ({ name, queueId, look, domains, requiresProof, form, absent, openings, mails }: WebchatChannel) => ({
  ...{ name, queueId, ...look, color: look.color ?? '', domains, requiresProof, form, absent, mails },
  openings: openings.map(({ path, seconds }) => `${path} ${seconds}`).join('\n'),
})
type Values = ReturnType<typeof toFields>

const toBody = ({ name, queueId, domains, requiresProof, form, absent, openings, mails, color, ...look }: Values) => ({
  ...{ name, queueId, domains, requiresProof, form, absent, mails },
  look: { ...look, color: color || null },
  openings: openings.split('\n').flatMap((row) => {
    const [path = '', seconds = '0'] = row.trim().split(/\s+/)
    return path === '' ? [] : [{ path, seconds: Number(seconds) }]
  }),
})

const checker = { safeParse: (value: Values) => webchatChannelForm.safeParse(toBody(value)) }

const mailEffect = ({ address, takesAnswers }: WebchatMailer): string =>
  takesAnswers
    ? t('O que o visitante não recebe em 5 minutos vai de {address} ao e-mail que deixou; a resposta volta para cá.', {
        address,
      })
    : t(
        'O que o visitante não recebe em 5 minutos vai de {address} ao e-mail que deixou. Para receber respostas, conecte um canal WebMail.',
        {
          address,
        },
      )

/** Form of one channel: its settings, its code, and a live preview. */
export function ChannelForm({ channel, mailer }: { channel: WebchatChannel; mailer: WebchatMailer | null }) {
  const { values, errors, changed, set, reset, check, refuse } = useForm(toFields(channel), checker)
  const [version, setVersion] = useState(0)
  const save = useMutation(
    mutation(webchatChannels.update, {
      onSuccess: (saved) => {
        reset(toFields(saved))
        setVersion((n) => n + 1)
        notify({ tone: 'pos', title: t('Canal salvo. O site mostra a mudança na próxima página aberta.') })
      },
      onError: (error) => refuse(error),
    }),
  )
  const submit = () => check() && save.mutate({ params: { id: channel.id }, body: toBody(values) })
  return (
    <div className={css.columns}>
      <PageForm changed={changed.length} busy={save.isPending} onSave={submit} onDrop={() => reset(toFields(channel))}>
        <InstallCode channel={channel} />
        <LookFields values={values} errors={errors} set={set} />
        <BeginningFields values={values} errors={errors} set={(key, value) => set(key, value as never)} />
        <AudienceFields values={values} errors={errors} set={set} mailer={mailer} />
      </PageForm>
      <Preview key={`${channel.token}-${version}`} token={channel.token} />
    </div>
  )
}

type Form = { values: Values; errors: FieldErrors; set: SetField<Values> }

function LookFields({ values, errors, set }: Form) {
  return (
    <Card title={t('Aparência')}>
      <Fields>
        <Pair>
          <TextInput
            label={t('Título da conversa')}
            required
            value={values.title}
            error={errors['title']}
            onChange={(event) => set('title', event.currentTarget.value)}
          />
          <ColorInput
            label={t('Cor')}
            eyeDropperButtonProps={{ 'aria-label': t('Escolher uma cor da tela') }}
            placeholder={t('Cor da empresa')}
            value={values.color}
            error={errors['color']}
            onChange={(color) => set('color', color)}
          />
        </Pair>
        <TextArea
          grow
          label={t('Boas-vindas')}
          description={t('A primeira mensagem que o visitante vê. Em branco, nenhuma é mostrada.')}
          value={values.welcome}
          error={errors['welcome']}
          onChange={(event) => set('welcome', event.currentTarget.value)}
        />
        <TextInput
          label={t('Quando ninguém está online')}
          description={t('No lugar de “Online agora”.')}
          value={values.away}
          error={errors['away']}
          onChange={(event) => set('away', event.currentTarget.value)}
        />
        <DisplayFields values={values} set={set} />
      </Fields>
    </Card>
  )
}

/** Where the bubble is, and in which colors and language it is shown. */
function DisplayFields({ values, set }: Omit<Form, 'errors'>) {
  return (
    <>
      <Pair>
        <Segments
          label={t('Posição do balão')}
          value={values.position}
          options={[
            { value: 'left', label: t('Esquerda') },
            { value: 'right', label: t('Direita') },
          ]}
          onChange={(position) => set('position', position)}
        />
        <Segments
          label={t('Claro ou escuro')}
          value={values.theme}
          options={[
            { value: 'auto', label: t('Do visitante') },
            { value: 'light', label: t('Claro') },
            { value: 'dark', label: t('Escuro') },
          ]}
          onChange={(theme) => set('theme', theme)}
        />
      </Pair>
      <Segments
        label={t('Idioma')}
        value={values.locale}
        options={[
          { value: 'auto', label: t('Do visitante') },
          { value: 'pt', label: t('Português') },
          { value: 'en', label: t('Inglês') },
          { value: 'es', label: t('Espanhol') },
        ]}
        onChange={(locale) => set('locale', locale)}
      />
    </>
  )
}

/** Sites and queue of the channel, and how visitors are recognized and answered. */
function AudienceFields({ values, errors, set, mailer }: Form & { mailer: WebchatMailer | null }) {
  return (
    <Card title={t('Onde e para quem')}>
      <Fields>
        <Pair>
          <NameAndQueue values={values} errors={errors} set={set} />
        </Pair>
        <TagsInput
          label={t('Sites permitidos')}
          description={t('Domínios como loja.com.br ou *.loja.com.br. Sem nenhum, qualquer site pode mostrar o canal.')}
          placeholder={values.domains.length === 0 ? t('loja.com.br') : ''}
          splitChars={[',', ' ']}
          acceptValueOnBlur
          value={values.domains}
          error={errors['domains']}
          onChange={(domains) => set('domains', domains)}
        />
        <SwitchGroup>
          <SwitchRow
            name={t('Exigir prova de identidade')}
            effect={t('setUser só vale com a assinatura feita pelo seu servidor.')}
            checked={values.requiresProof}
            onChange={(on) => set('requiresProof', on)}
          />
          {mailer && (
            <SwitchRow
              name={t('Responder por e-mail a quem saiu')}
              effect={mailEffect(mailer)}
              checked={values.mails}
              onChange={(on) => set('mails', on)}
            />
          )}
        </SwitchGroup>
      </Fields>
    </Card>
  )
}

/** The channel at work; a new key loads it again. */
function Preview({ token }: { token: string }) {
  return (
    <aside className={css.live}>
      <Card title={t('Experimente')} flush>
        <iframe title={t('O canal num site, funcionando')} src={`/widget/preview?token=${encodeURIComponent(token)}`} />
        <p>{t('É o canal de verdade: o que você escrever aqui chega em Atendimentos.')}</p>
      </Card>
    </aside>
  )
}
