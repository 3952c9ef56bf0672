/**
 * The page on which the API is read and tried. Requests that carry no authorization of their own use the session of
 * this browser; light and dark follow the product.
 */
export const page = `<!doctype html>
<html lang="pt-BR">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>API · Guichê</title>
    <link rel="icon" href="/favicon.svg" />
    <link rel="stylesheet" href="/api/docs/swagger-ui.css" nonce="%NONCE%" />
    <style nonce="%NONCE%">
      html { background: #fff; }
      html.dark-mode { background: #1c2022; }
      body { margin: 0; }
      .swagger-ui .info { margin: 24px 0; }
      .swagger-ui .info .title small { background: #4c5260; }
      .swagger-ui .info .title small.version-stamp { background: #3d6b00; }
      .swagger-ui .info .title small pre { color: #fff; }
      .swagger-ui .info .url { color: #2b6cb0; }
      .swagger-ui .btn.authorize, .swagger-ui .btn.authorize span { border-color: #1d7a50; color: #1d7a50; }
      .dark-mode .swagger-ui .info .url { color: #7db8f0; }
      .dark-mode .swagger-ui .btn.authorize, .dark-mode .swagger-ui .btn.authorize span { border-color: #77cd9e; color: #77cd9e; }
    </style>
  </head>
  <body>
    <div id="reference"></div>
    <script src="/api/docs/swagger-ui-bundle.js" nonce="%NONCE%"></script>
    <script nonce="%NONCE%">
      const scheme = () =>
        document.documentElement.classList.toggle('dark-mode', localStorage.getItem('mantine-color-scheme-value') === 'dark')
      scheme()
      addEventListener('storage', scheme)
      SwaggerUIBundle({
        dom_id: '#reference',
        url: '/api/openapi.json',
        presets: [SwaggerUIBundle.presets.apis],
        deepLinking: true,
        docExpansion: 'none',
        filter: true,
        tagsSorter: 'alpha',
        displayRequestDuration: true,
        tryItOutEnabled: true,
        defaultModelsExpandDepth: -1,
        validatorUrl: null,
        requestInterceptor: (request) => {
          const token = localStorage.getItem('token')
          if (token && !request.headers.Authorization) request.headers.Authorization = 'Bearer ' + token
          return request
        },
      })
    </script>
  </body>
</html>
`
