# docker build -t bidwright . && docker run -p 8080:8080 bidwright
FROM python:3.12-slim
WORKDIR /src
COPY . .
RUN pip install --no-cache-dir '.[serve]' && rm -rf /src
WORKDIR /data
RUN useradd --create-home bidwright && chown bidwright /data
USER bidwright
EXPOSE 8080
CMD ["bidwright", "serve", "--host", "0.0.0.0", "--port", "8080"]
