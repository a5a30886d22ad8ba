{{- define "reverie.name" -}}
{{- printf "%s-reverie" .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "reverie.labels" -}}
app.kubernetes.io/name: reverie
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "reverie.selector" -}}
app.kubernetes.io/name: reverie
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "reverie.pod" -}}
automountServiceAccountToken: false
terminationGracePeriodSeconds: 40
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "reverie.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: ["ALL"]
{{- end -}}

{{- define "reverie.settings" -}}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- if .Values.postgres.store }}
- name: REVERIE_STORE
  value: {{ .Values.postgres.store | quote }}
- name: PGPASSWORD_FILE
  value: /run/secrets/postgres/password
{{- if .Values.postgres.keySecret }}
- name: REVERIE_ENCRYPTED
  value: "true"
- name: REVERIE_KEY_FILE
  value: /run/secrets/key/key
{{- end }}
{{- end }}
{{- end -}}

{{- define "reverie.postgresVolumes" -}}
- name: postgres
  secret:
    secretName: {{ .Values.postgres.passwordSecret }}
    defaultMode: 0440
{{- if .Values.postgres.keySecret }}
- name: key
  secret:
    secretName: {{ .Values.postgres.keySecret }}
    defaultMode: 0440
{{- end }}
{{- end -}}

{{- define "reverie.postgresMounts" -}}
- name: postgres
  mountPath: /run/secrets/postgres
  readOnly: true
{{- if .Values.postgres.keySecret }}
- name: key
  mountPath: /run/secrets/key
  readOnly: true
{{- end }}
{{- end -}}
