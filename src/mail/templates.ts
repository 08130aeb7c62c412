/** The text of one kind of mail. Values are inserted at `{{…}}`; in HTML they are escaped. */
interface MailTemplate {
  readonly subject: string;
  readonly text: string;
  /** The content of the layout. */
  readonly html: string;
}

const PASSWORD_RESET: MailTemplate = {
  subject: 'Set a new password for {{project}}',
  text: `Hello{{#if name}} {{name}}{{/if}},

somebody asked for a new password for your account at {{project}}. To set one, open this link within an hour:

{{url}}

If it was not you, there is nothing to do: your password stays as it is.
`,
  html: `<p>Hello{{#if name}} {{name}}{{/if}},</p>
<p>somebody asked for a new password for your account at {{project}}. To set one, follow this link within an hour:</p>
<p><a href="{{url}}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#1d4ed8;color:#ffffff;text-decoration:none">Set a new password</a></p>
<p style="color:#555555;font-size:14px">Or copy it into your browser:<br>{{url}}</p>
<p>If it was not you, there is nothing to do: your password stays as it is.</p>`,
};

const VERIFICATION: MailTemplate = {
  subject: 'Confirm your address for {{project}}',
  text: `Hello,

somebody registered at {{project}} with this address, on {{time}}. If it was you, open this link within 24 hours to confirm
the address; you can sign in then, with the password that you chose:

{{url}}

If it was not you, do not open it: without it, nobody can sign in with your address.
`,
  html: `<p>Hello,</p>
<p>somebody registered at {{project}} with this address, on {{time}}. If it was you, follow this link within 24 hours to confirm the address; you can sign in then, with the password that you chose:</p>
<p><a href="{{url}}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#1d4ed8;color:#ffffff;text-decoration:none">Confirm the address</a></p>
<p style="color:#555555;font-size:14px">Or copy it into your browser:<br>{{url}}</p>
<p>If it was not you, do not follow it: without it, nobody can sign in with your address.</p>`,
};

const INVITATION: MailTemplate = {
  subject: 'You are invited to {{project}}',
  text: `Hello{{#if name}} {{name}}{{/if}},

you are invited to {{project}}. To accept, open this link within seven days and choose a password:

{{url}}

If you do not want to, there is nothing to do.
`,
  html: `<p>Hello{{#if name}} {{name}}{{/if}},</p>
<p>you are invited to {{project}}. To accept, follow this link within seven days and choose a password:</p>
<p><a href="{{url}}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#1d4ed8;color:#ffffff;text-decoration:none">Accept the invitation</a></p>
<p style="color:#555555;font-size:14px">Or copy it into your browser:<br>{{url}}</p>
<p>If you do not want to, there is nothing to do.</p>`,
};

/**
 * By kind of mail. A mail needs the values that its template names, besides `project` and `name`, which are always
 * given.
 */
export const TEMPLATES = {
  'password-reset': PASSWORD_RESET,
  verification: VERIFICATION,
  invitation: INVITATION,
} as const;

export type TemplateName = keyof typeof TEMPLATES;

export const LAYOUT: Pick<MailTemplate, 'html' | 'text'> = {
  html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{{subject}}</title></head>
<body style="margin:0;padding:24px;background:#f4f4f5;font-family:Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5;color:#18181b">
<div style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px">
<p style="margin-top:0;font-weight:bold">{{project}}</p>
{{{body}}}
</div>
</body>
</html>
`,
  text: `{{{body}}}
-- 
{{project}}
`,
};
