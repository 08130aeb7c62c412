/** Text of one kind of mail. Values stand in `{{…}}`; in HTML they are escaped. */
interface MailTemplate {
  readonly subject: string;
  readonly text: string;
  /** What stands in the layout. */
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

/** Every mail needs the values that its template names, beside `project` and `name`, which are always there. */
export const TEMPLATES = { 'password-reset': PASSWORD_RESET } as const;

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
