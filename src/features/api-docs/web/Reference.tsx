import { Button } from '@mantine/core'
import { ExternalIcon } from '#web/ui/icons.ts'
import { Page, PageHead } from '#web/ui/page.tsx'
import css from './reference.module.css'

const address = '/api/docs'

/** Every operation to read and to try, with the session of this browser or any other token. */
export function Reference() {
  return (
    <Page wide>
      <PageHead
        title="API: referência"
        facts="Os pedidos daqui usam a sua sessão; em “Authorize” você troca por outro token."
        actions={
          <Button
            component="a"
            variant="default"
            className={css.way}
            href={address}
            target="_blank"
            rel="noreferrer"
            leftSection={<ExternalIcon size={17} />}
          >
            Abrir em outra aba
          </Button>
        }
      />
      <iframe className={css.frame} src={address} title="Referência da API" />
    </Page>
  )
}
