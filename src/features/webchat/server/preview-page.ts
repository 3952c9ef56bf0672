/** A customer's site in outline, with the channel's code on it; the token was found, so it is one of ours. */
export const previewPage = (token: string): string => `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Seu site com o webchat</title>
<style nonce="%NONCE%">
html{color-scheme:light dark;background:light-dark(#fff,#17151a)}
body{margin:0;padding:28px 24px;font:14px system-ui,sans-serif;color:light-dark(#706877,#9c93a2)}
i{display:block;height:12px;margin:0 0 12px;border-radius:6px;background:light-dark(#efeae4,#26212b);max-width:560px}
i.t{height:26px;width:46%}i.b{height:160px;max-width:none;border-radius:12px}i.s{width:64%}
</style>
</head>
<body>
<i class="t"></i><i></i><i></i><i class="s"></i><i class="b"></i><i></i><i class="s"></i>
<script async src="/widget/guiche.js" data-token="${encodeURIComponent(token)}" nonce="%NONCE%"></script>
</body>
</html>`
