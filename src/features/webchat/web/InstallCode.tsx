import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation } from '#web/client.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { CheckIcon, CopyIcon, RefreshIcon, ShowIcon } from '#web/ui/icons.ts'
import { Fields } from '#web/ui/inputs/fields.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { webchatChannels } from '../addresses.ts'
import type { WebchatChannel } from '../contract.ts'
import { TestSite } from './TestSite.tsx'
import css from './webchat.module.css'

/** Hook that copies a text, or selects it if the browser refuses to copy (plain http). */
function useCopy(text: string) {
  const [isCopied, setCopied] = useState(false)
  const copy = async (box: HTMLElement | null) => {
    const isDone = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    if (!isDone && box) getSelection()?.selectAllChildren(box)
    setCopied(Boolean(isDone))
    setTimeout(() => setCopied(false), 2000)
  }
  return { isCopied, copy }
}

function Code({ label, text }: { label: string; text: string }) {
  const { isCopied, copy } = useCopy(text)
  const [box, setBox] = useState<HTMLElement | null>(null)
  return (
    <div className={css.code}>
      <pre ref={setBox}>{text}</pre>
      <Button
        variant="default"
        aria-label={isCopied ? t('Copiado') : t('Copiar {label}', { label })}
        leftSection={isCopied ? <CheckIcon size={17} /> : <CopyIcon size={17} />}
        onClick={() => copy(box)}
      >
        {isCopied ? t('Copiado') : t('Copiar')}
      </Button>
    </div>
  )
}

/** Section about identity proofs by the company's server; a new secret is shown once, later only its last characters. */
function Proof({ channel }: { channel: WebchatChannel }) {
  const make = useMutation(mutation(webchatChannels.newSecret))
  const secret = make.data?.proofSecret
  const ask = async () => {
    const isSure =
      !channel.proofHint ||
      (await confirm({
        title: t('Trocar o segredo?'),
        text: t('Assinaturas feitas com o segredo atual deixam de valer.'),
        action: t('Trocar o segredo'),
      }))
    if (isSure) make.mutate({ params: { id: channel.id } })
  }
  return (
    <>
      <p className="g-help">
        {t('Para reconhecer clientes: hash = HMAC-SHA256(segredo, id), em hexadecimal, calculado no seu servidor.')}
      </p>
      {secret ? (
        <>
          <Code label={t('segredo')} text={secret} />
          <p className="g-help">{t('Guarde-o agora: ele não será mostrado de novo.')}</p>
        </>
      ) : (
        <div className={css.code}>
          <pre>{channel.proofHint ? `••••••••${channel.proofHint}` : t('Ainda não há um segredo.')}</pre>
          <Button variant="default" onClick={ask} loading={make.isPending}>
            {channel.proofHint ? t('Trocar segredo') : t('Criar segredo')}
          </Button>
        </div>
      )}
      <Code
        label={t('exemplo')}
        text={"window.guiche = window.guiche || []\nguiche.push(['setUser', id, { name, email, phone, hash }])"}
      />
    </>
  )
}

/** Section with the code for the customer's site, the proof's secret, and the replacement of the token. */
export function InstallCode({ channel }: { channel: WebchatChannel }) {
  const [showsProof, setShowsProof] = useState(false)
  const renew = useMutation(mutation(webchatChannels.renew))
  const tag = `<script async src="${location.origin}/widget/guiche.js" data-token="${channel.token}"></script>`
  const ask = async () => {
    const isSure = await confirm({
      title: t('Trocar o código de instalação?'),
      text: t('O balão some dos sites que usam o código atual até que o novo seja colado neles.'),
      action: t('Trocar o código'),
    })
    if (isSure) renew.mutate({ params: { id: channel.id } })
  }
  return (
    <Card
      title={t('Código de instalação')}
      actions={
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<RefreshIcon size={15} />}
          onClick={ask}
          loading={renew.isPending}
        >
          {t('Trocar código')}
        </Button>
      }
    >
      <Fields>
        <p className="g-help">{t('Cole antes de </body> em cada página do site.')}</p>
        <Code label={t('código de instalação')} text={tag} />
        <TestSite id={channel.id} />
        {showsProof ? (
          <Proof channel={channel} />
        ) : (
          <Button
            className={css.more}
            size="compact-sm"
            variant="subtle"
            leftSection={<ShowIcon size={15} />}
            onClick={() => setShowsProof(true)}
          >
            {t('Reconhecer clientes do site')}
          </Button>
        )}
      </Fields>
    </Card>
  )
}
